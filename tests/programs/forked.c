/* Stands for a command of cg2: has the prepared process that listens at
 * $CG2_PREPARED fork it, with the arguments, environment, directory and
 * standard streams of this process, and ends as it ends. tests/lib/prepared.py
 * says what a request is. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static int fail(const char* what)
{
   perror(what);
   return 99;
}

/* No limit of time or memory, no other streams; then what this process is. */
static int request_of(int argc, char** argv)
{
   char directory[4096];
   int request = memfd_create("request", 0);
   if (request < 0 || !getcwd(directory, sizeof directory)) return -1;
   const char* name = strrchr(argv[0], '/');
   name = name ? name + 1 : argv[0];
   dprintf(request, "0%c0%c%c%s%c%d%c%s", 0, 0, 0, directory, 0, argc, 0, name);
   for (int i = 1; i < argc; i++)
      dprintf(request, "%c%s", 0, argv[i]);
   for (char** item = environ; *item; item++)
      dprintf(request, "%c%s", 0, *item);
   return request;
}

static int send_files(int to, const int* files, size_t size)
{
   char word = '\n', control[CMSG_SPACE(64)];
   struct iovec text = {&word, 1};
   struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
   message.msg_control = control;
   message.msg_controllen = CMSG_SPACE(size);
   struct cmsghdr* header = CMSG_FIRSTHDR(&message);
   header->cmsg_level = SOL_SOCKET;
   header->cmsg_type = SCM_RIGHTS;
   header->cmsg_len = CMSG_LEN(size);
   memcpy(CMSG_DATA(header), files, size);
   return sendmsg(to, &message, 0) == 1;
}

int main(int argc, char** argv)
{
   const char* path = getenv("CG2_PREPARED");
   struct sockaddr_un address = {.sun_family = AF_UNIX};
   if (!path || strlen(path) >= sizeof address.sun_path) return 99;
   strcpy(address.sun_path, path);
   int to = socket(AF_UNIX, SOCK_STREAM, 0);
   if (connect(to, (struct sockaddr*)&address, sizeof address))
      return fail(path);
   int files[] = {request_of(argc, argv), 0, 1, 2};
   if (files[0] < 0 || !send_files(to, files, sizeof files))
      return fail("request");
   FILE* answer = fdopen(to, "r");
   int status;
   if (!answer || fscanf(answer, "%d", &status) != 1) return fail("answer");
   if (WIFSIGNALED(status)) {
      signal(WTERMSIG(status), SIG_DFL);
      raise(WTERMSIG(status));
   }
   return WEXITSTATUS(status);
}
