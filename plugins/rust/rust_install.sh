#!/bin/sh
# rust_install.sh PREFIX CRATE...: builds crates below PREFIX; how the compiler is told of them stays in PREFIX/rustc.
# A crate is name, name@version, name[feature,feature] or name[feature]@version.
set -eu
prefix=$1
shift
work=$prefix/.tmp/crate
mkdir -p "$work/src"
cd "$work"
printf '[package]\nname = "program"\nversion = "0.1.0"\nedition = "2021"\n' >Cargo.toml
echo 'fn main() {}' >src/main.rs
# One argument a line, as the compiler's @file wants them.
cat >rustc <<'END'
#!/bin/sh
compiler=$1 before=
shift
case " $* " in *' --crate-name program '*)
  for argument; do
    case "$before" in --extern | -L | -l) printf '%s\n%s\n' "$before" "$argument" ;; esac
    before=$argument
  done >"$KEPT_ARGUMENTS" ;;
esac
exec "$compiler" "$@"
END
chmod +x rustc
for crate; do
  name=${crate%%[@\[]*} version= features=
  case "$crate" in *@*) version=@${crate##*@} ;; esac
  case "$crate" in *\[*\]*) features=${crate#*\[} features=${features%%\]*} ;; esac
  cargo add --quiet ${features:+--features "$features"} -- "$name$version"
done
export KEPT_ARGUMENTS="$prefix/rustc" RUSTC_WORKSPACE_WRAPPER="$work/rustc"
cargo build --release --target-dir "$prefix/target"
# The compiler needs the libraries, and what build scripts left for the linker.
cd "$prefix/target/release"
rm -rf .fingerprint incremental examples program program.d
find . -type l -delete
find deps -type f ! -name '*.rlib' ! -name '*.so' -delete
find build -type f -path 'build/*/build*script*' -delete
