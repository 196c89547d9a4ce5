# Builds the gems in the folders beside it, each in some versions, and what rubygems.org has beside its gems: the files of
# the compact index, /versions and /info/NAME, and each gem's specification.
require "digest"
require "fileutils"
require "rubygems/package"
require "zlib"

FileUtils.mkdir_p(%w[gems info quick/Marshal.4.8])
versions = "created_at: 2026-01-01T00:00:00Z\n---\n"
{ "greeting" => %w[1.0.0 1.2.0 2.0.0], "greeting_words" => %w[1.0.0 2.0.0] }.each do |folder, numbers|
  lines = numbers.map do |number|
    ENV["VERSION"] = number
    gem = Dir.chdir(folder) do
      specification = eval(File.read(Dir["*.gemspec"].first))
      File.expand_path(Gem::Package.build(specification, true))
    end
    specification = Gem::Package.new(gem).spec
    needs = specification.runtime_dependencies.map { |need| "#{need.name}:#{need.requirement.as_list.join("&")}" }
    FileUtils.mv(gem, "gems")
    File.binwrite("quick/Marshal.4.8/#{specification.full_name}.gemspec.rz", Zlib::Deflate.deflate(Marshal.dump(specification)))
    "#{number} #{needs.join(",")}|checksum:#{Digest::SHA256.file("gems/#{File.basename(gem)}").hexdigest}\n"
  end
  name = "codebox_#{folder}"
  File.write("info/#{name}", "---\n#{lines.join}")
  versions << "#{name} #{numbers.join(",")} #{Digest::MD5.file("info/#{name}").hexdigest}\n"
end
File.write("versions", versions)
