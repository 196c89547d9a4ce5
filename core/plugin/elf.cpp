#include "plugin/elf.hpp"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/text.hpp"

namespace codebox::plugin {
namespace {

constexpr Elf64_Half our_machine() {
#if defined(__x86_64__)
  return EM_X86_64;
#elif defined(__aarch64__)
  return EM_AARCH64;
#elif defined(__riscv)
  return EM_RISCV;
#elif defined(__powerpc64__)
  return EM_PPC64;
#elif defined(__s390x__)
  return EM_S390;
#else
#error "Name this machine's ELF number here."
#endif
}

bool read_at(int fd, std::uint64_t offset, void* into, std::size_t size) {
  return ::pread(fd, into, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

bool inside(std::uint64_t offset, std::uint64_t length, std::uint64_t size) {
  return offset <= size && length <= size - offset;
}

Finding cut_off(std::uint64_t size) {
  return {"elf",
          "The library is cut off after " + text::size(size) + "; copy it again, then rename it into place."};
}

}  // namespace

Finding elf_fault(int fd) {
  struct stat st{};
  if (::fstat(fd, &st) != 0) return {"elf", "The library's size cannot be read."};
  const auto size = static_cast<std::uint64_t>(st.st_size);
  Elf64_Ehdr head{};
  unsigned char identity[EI_NIDENT] = {};
  if (!read_at(fd, 0, identity, sizeof identity) || std::memcmp(identity, ELFMAG, SELFMAG) != 0) {
    return {"elf", "The file is not a shared library (no ELF header); build it with codebox_add_plugin."};
  }
  constexpr int order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (identity[EI_CLASS] != ELFCLASS64 || identity[EI_DATA] != order) {
    return {"machine",
            "The library is not built for this kind of machine (word size or byte order); rebuild it here."};
  }
  if (!read_at(fd, 0, &head, sizeof head)) return cut_off(size);
  if (head.e_machine != our_machine()) {
    return {"machine", "The library is built for ELF machine " + std::to_string(head.e_machine) +
                           ", this is machine " + std::to_string(our_machine()) +
                           "; build it for this architecture."};
  }
  if (head.e_type != ET_DYN) {
    return {"elf", "The file is ELF, but not a shared library; build it with codebox_add_plugin."};
  }
  if (head.e_phentsize != sizeof(Elf64_Phdr) || head.e_phnum == 0) {
    return {"elf", "The library has no program headers; build it with codebox_add_plugin."};
  }
  if (!inside(head.e_phoff, std::uint64_t{head.e_phnum} * sizeof(Elf64_Phdr), size) ||
      !inside(head.e_shoff, std::uint64_t{head.e_shnum} * head.e_shentsize, size))
    return cut_off(size);
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!read_at(fd, head.e_phoff + i * sizeof segment, &segment, sizeof segment)) return cut_off(size);
    if (segment.p_type == PT_LOAD && !inside(segment.p_offset, segment.p_filesz, size)) return cut_off(size);
  }
  return {};
}

}  // namespace codebox::plugin
