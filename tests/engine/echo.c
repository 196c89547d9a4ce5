// A stand-in for the agent: obeys one command a line and ends with its stdin.
//   cat PATH     the file, then a line "."        touch PATH   "done" or "failed"
//   eat MIB      a child that uses so much memory; "ate", or "killed" when it did not live
//   anything else comes back as it is
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void cat(const char* path) {
  char buffer[4096];
  FILE* const file = fopen(path, "r");
  while (file && fgets(buffer, sizeof buffer, file)) fputs(buffer, stdout);
  if (file) fclose(file);
  puts(".");
}

static void eat(long mebibytes) {
  const pid_t child = fork();
  if (child == 0) {
    for (long i = 0; i < mebibytes; ++i) {
      char* const piece = malloc(1 << 20);
      if (piece) memset(piece, 1, 1 << 20);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  puts(WIFEXITED(status) ? "ate" : "killed");
}

int main(void) {
  static char line[65536];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "cat ", 4) == 0)
      cat(line + 4);
    else if (strncmp(line, "eat ", 4) == 0)
      eat(atol(line + 4));
    else if (strncmp(line, "touch ", 6) == 0)
      puts(open(line + 6, O_CREAT | O_WRONLY, 0644) >= 0 ? "done" : "failed");
    else
      puts(line);
    fflush(stdout);
  }
  return 0;
}
