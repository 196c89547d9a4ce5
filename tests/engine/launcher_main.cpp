#include "engine/launcher.hpp"

int main(int argc, char** argv) {
  return codebox::engine::launcher_main(argc, argv);
}
