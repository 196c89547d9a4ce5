# ruby_install.rb GEM...: installs gems into GEM_HOME, with what they need and the image lacks. All are resolved together, so
# that no two of them want different versions of a third. A gem is rack, rack@3 (the newest that begins so), rack@3.0.8, or
# rack with requirements as RubyGems knows them: rack:~>3.0, rack>=2,<4.
require "fileutils"
require "rubygems/request_set"
require "rubygems/resolver"

def dependency(specifier)
  name, wanted = specifier.match(/\A([A-Za-z0-9_.-]*)(.*)\z/).captures
  raise Gem::Requirement::BadRequirementError if name.empty?
  requirements = wanted.sub(/\A[@:]/, "").split(",").map do |text|
    text = text.sub(/\A==/, "=").sub(/\A\^/, "~>")
    # Not 3.0 itself is meant by 3.0, but what RubyGems calls ~> 3.0.0; the same for 3.
    text.match?(/\A\d+(\.\d+)?\z/) ? "~> #{text}.0" : text
  end
  Gem::Dependency.new(name, *requirements)
rescue Gem::Requirement::BadRequirementError
  abort "#{specifier} is no gem: write its name, or a version too, as in rack@3.0.8 or rack:~>3.0."
end

# What goes wrong in a thread is said once, at the end.
Thread.report_on_exception = false
source = ENV["GEM_SOURCE"]
Gem.sources = [source.chomp("/") + "/"] if source
begin
  wanted = Gem::RequestSet.new(*ARGV.map { |specifier| dependency(specifier) })
  wanted.resolve(Gem::Resolver::InstallerSet.new(:remote))
  wanted.install(document: [], wrappers: true) { |request, installer| puts request.full_name if installer }
rescue StandardError => error
  abort error.message
end
# What stays has to be plain files, and no program needs the archives that gems came in.
home = ENV.fetch("GEM_HOME")
FileUtils.rm_rf("#{home}/cache")
Dir.glob("#{home}/**/*", File::FNM_DOTMATCH).select { |path| File.symlink?(path) }.each do |link|
  target = File.realpath(link) rescue nil
  File.delete(link)
  FileUtils.cp(target, link) if target&.start_with?("#{home}/") && File.file?(target)
end
