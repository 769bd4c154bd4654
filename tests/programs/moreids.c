/* Prints whether numbers of processes are the same in all the ways in which
 * programs get them from messages and signals, and by paths
 * below a directory of /proc; and who is told of whose memory. With an argument
 * also of files that stand for processes. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* same(long a, long b)
{
   return a == b ? "same" : "other";
}

/* A message of one byte that says who sends it. */
typedef struct Letter {
   struct msghdr header;
   struct iovec piece;
   char byte;
   union {
      struct cmsghdr first;
      char room[CMSG_SPACE(sizeof(struct ucred))];
   } control;
} Letter;

static struct ucred* prepare(Letter* l)
{
   memset(l, 0, sizeof *l);
   l->piece = (struct iovec){&l->byte, 1};
   l->header.msg_iov = &l->piece;
   l->header.msg_iovlen = 1;
   l->header.msg_control = &l->control;
   l->header.msg_controllen = sizeof l->control;
   l->control.first.cmsg_level = SOL_SOCKET;
   l->control.first.cmsg_type = SCM_CREDENTIALS;
   l->control.first.cmsg_len = CMSG_LEN(sizeof(struct ucred));
   return (struct ucred*)CMSG_DATA(&l->control.first);
}

static void show_letter(int from, pid_t sender)
{
   Letter l;
   const struct ucred* who = prepare(&l);
   ssize_t n = recvmsg(from, &l.header, 0);
   printf("letter %zd from %s user %s\n", n, same(who->pid, sender),
          same(who->uid, getuid()));
}

static void show_letters(void)
{
   int pair[2], yes = 1;
   Letter l;
   struct mmsghdr several[1];
   struct ucred* who = prepare(&l);
   socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
   setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
   *who = (struct ucred){getpid(), getuid(), getgid()};
   printf("sent %zd", sendmsg(pair[1], &l.header, 0));
   printf(" still %s\n", same(who->pid, getpid()));
   show_letter(pair[0], getpid());
   several[0].msg_hdr = l.header;
   printf("sent %d\n", sendmmsg(pair[1], several, 1, 0));
   prepare(&l);
   several[0].msg_hdr = l.header;
   printf("received %d", recvmmsg(pair[0], several, 1, 0, NULL));
   printf(" from %s\n", same(who->pid, getpid()));
   who->pid = 123456789;
   printf("for nobody %zd\n", sendmsg(pair[1], &l.header, 0));
   pid_t child = fork();
   if (child == 0) _exit(send(pair[1], "x", 1, 0) != 1);
   show_letter(pair[0], child);
   waitpid(child, NULL, 0);
}

/* The number behind `key` in a file below a directory; -1: there is none. */
static int number_in(int directory, const char* path, const char* key)
{
   char line[256];
   int number = -1, file = openat(directory, path, O_RDONLY);
   FILE* f = file < 0 ? NULL : fdopen(file, "r");
   while (number < 0 && f && fgets(line, sizeof line, f))
      if (strncmp(line, key, strlen(key)) == 0)
         number = atoi(line + strlen(key));
   if (f) fclose(f);
   return number;
}

static void show_paths(pid_t child)
{
   char path[64], link[64] = "";
   int proc = open("/proc", O_RDONLY | O_DIRECTORY);
   snprintf(path, sizeof path, "%d/status", child);
   printf("below /proc %s\n", same(number_in(proc, path, "Pid:"), child));
   snprintf(path, sizeof path, "%d", child);
   int of_child = openat(proc, path, O_RDONLY | O_DIRECTORY);
   printf("below it %s\n", same(number_in(of_child, "stat", ""), child));
   printf("pages %d\n", number_in(of_child, "statm", ""));
   int maps = openat(of_child, "maps", O_RDONLY);
   printf("its maps %d\n", maps < 0 && errno == EACCES);
   if (readlinkat(proc, "self", link, sizeof link - 1) < 0) perror("self");
   printf("link %s\n", same(atoi(link), getpid()));
   printf("gone %d\n", faccessat(proc, "123456789/stat", F_OK, 0) < 0);
   if (chdir("/proc/self/task") < 0) perror("chdir");
   snprintf(path, sizeof path, "%d/stat", getpid());
   printf("working %s\n", same(number_in(AT_FDCWD, path, ""), getpid()));
   printf("size %d\n", number_in(AT_FDCWD, "/proc/self/smaps", "Size:") > 0);
}

static void show_rights(pid_t child)
{
   struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3,
                                             child};
   struct __user_cap_data_struct data[2];
   printf("rights %ld\n", syscall(SYS_capget, &header, data));
   printf("still %s\n", same(header.pid, child));
   struct rlimit mine, of_process;
   getrlimit(RLIMIT_STACK, &mine);
   prlimit(getpid(), RLIMIT_STACK, NULL, &of_process);
   printf("limit %s\n", same(mine.rlim_cur, of_process.rlim_cur));
}

/* The end of a child by a signal, with a file that stands for it where
 * `has_file`, as Valgrinds before 3.22 know none. */
static void show_end(pid_t child, int has_file)
{
   char path[64];
   int file = has_file ? syscall(SYS_pidfd_open, child, 0) : -1;
   snprintf(path, sizeof path, "/proc/self/fdinfo/%d", file);
   if (has_file)
      printf("pidfd %s\n", same(number_in(AT_FDCWD, path, "Pid:"), child));
   sigset_t set;
   siginfo_t info;
   struct signalfd_siginfo heard;
   sigemptyset(&set);
   sigaddset(&set, SIGCHLD);
   sigprocmask(SIG_BLOCK, &set, NULL);
   int signals = signalfd(-1, &set, 0);
   printf("signal %ld\n",
          has_file ? syscall(SYS_pidfd_send_signal, file, SIGTERM, NULL, 0)
                   : kill(child, SIGTERM));
   if (read(signals, &heard, sizeof heard) < 0) perror("read");
   printf("signalfd %s status %d\n", same(heard.ssi_pid, child),
          heard.ssi_status);
   if (has_file)
      waitid((idtype_t)3, file, &info, WEXITED); /* P_PIDFD */
   else
      waitid(P_PID, child, &info, WEXITED);
   printf("waited %s status %d\n", same(info.si_pid, child), info.si_status);
}

int main(int argc, char** argv)
{
   (void)argv;
   setvbuf(stdout, NULL, _IOLBF, 0);
   show_letters();
   pid_t child = fork();
   while (child == 0)
      pause();
   show_paths(child);
   show_rights(child);
   show_end(child, argc > 1);
   return 0;
}
