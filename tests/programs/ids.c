/* Prints process and thread ids in all the ways in which a program comes by
 * them, and whether they work where they are used. "limits" says, in a program
 * that this one starts, whether a limit that was set is still there. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t sender;

static void hear(int signal, siginfo_t* info, void* context)
{
   (void)signal, (void)context;
   sender = info->si_pid;
}

static void listen_to(int signal)
{
   struct sigaction action = {.sa_sigaction = hear, .sa_flags = SA_SIGINFO};
   sigaction(signal, &action, NULL);
}

/* The number behind `key` in a file; -1: there is none. */
static int number_in(const char* path, const char* key)
{
   char line[256];
   int found = -1;
   FILE* f = fopen(path, "r");
   while (found < 0 && f && fgets(line, sizeof line, f))
      if (strncmp(line, key, strlen(key)) == 0)
         found = atoi(line + strlen(key));
   if (f) fclose(f);
   return found;
}

static const char* same(int a, int b)
{
   return a == b ? "same" : "other";
}

static void show_self(void)
{
   char path[64], link[64] = "";
   printf("process %d parent %d thread %d group %d session %d\n", getpid(),
          getppid(), gettid(), getpgrp(), getsid(0));
   if (readlink("/proc/self", link, sizeof link - 1) < 0) perror("readlink");
   printf("link %s\n", same(atoi(link), getpid()));
   snprintf(path, sizeof path, "/proc/%d/status", getpid());
   printf("status %s\n", same(number_in(path, "Pid:"), getpid()));
   snprintf(path, sizeof path, "/proc/%d/stat", getpid());
   printf("stat %s\n", same(number_in(path, ""), getpid()));
   snprintf(path, sizeof path, "/proc/%d/exe", getpid());
   printf("exe %s\n", same(readlink(path, link, sizeof link) > 0, 1));
   printf("policy %d affinity %d\n", sched_getscheduler(getpid()),
          sched_getscheduler(getpid() + 1) < 0 ? errno : 0);
   printf("group of it %s\n", same(getpgid(getpid()), getpgrp()));
}

static void show_foreign(void)
{
   int status = kill(1, 0) < 0 ? errno : 0;
   printf("process 1 is gone %d\n", status == ESRCH);
   printf("nobody is gone %d\n", kill(123456789, 0) < 0 && errno == ESRCH);
}

static void show_child(void)
{
   int status;
   siginfo_t info;
   sigset_t blocked, before;
   listen_to(SIGUSR1);
   sigemptyset(&blocked);
   sigaddset(&blocked, SIGUSR1);
   sigprocmask(SIG_BLOCK, &blocked, &before);
   pid_t child = fork();
   if (child == 0) {
      printf("child %d parent %d\n", getpid(), getppid());
      fflush(stdout);
      setpgid(0, 0);
      kill(getppid(), SIGUSR1);
      pause();
   }
   while (!sender)
      sigsuspend(&before);
   sigprocmask(SIG_SETMASK, &before, NULL);
   printf("made %d heard %s\n", child, same(sender, child));
   printf("its group %s\n", same(getpgid(child), child));
   waitid(P_PID, child, &info, WEXITED | WNOHANG);
   kill(-child, SIGTERM);
   waitid(P_PGID, child, &info, WEXITED | WNOWAIT);
   printf("waitid %s\n", same(info.si_pid, child));
   printf("wait %s\n", same(waitpid(child, &status, 0), child));
   printf("by signal %d\n", WTERMSIG(status));
   printf("then %d\n", kill(child, 0) < 0 && errno == ESRCH);
}

static int tids[2];

static void* run(void* argument)
{
   listen_to(SIGUSR2);
   tids[0] = gettid();
   sender = 0;
   syscall(SYS_tgkill, getpid(), gettid(), SIGUSR2);
   tids[1] = sender;
   return argument;
}

static int count_of(const char* path, int* first)
{
   int n = 0;
   DIR* directory = opendir(path);
   for (struct dirent* e; directory && (e = readdir(directory));)
      if (atoi(e->d_name) > 0 && n++ == 0) *first = atoi(e->d_name);
   if (directory) closedir(directory);
   return n;
}

static void show_threads(void)
{
   int first = 0;
   pthread_t thread;
   pthread_create(&thread, NULL, run, NULL);
   pthread_join(thread, NULL);
   printf("thread %d sender %s\n", tids[0], same(tids[1], getpid()));
   printf("tasks %d", count_of("/proc/self/task", &first));
   printf(" first %s\n", same(first, getpid()));
}

static void show_owners(void)
{
   int pair[2];
   struct ucred peer;
   socklen_t size = sizeof peer;
   socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
   getsockopt(pair[0], SOL_SOCKET, SO_PEERCRED, &peer, &size);
   printf("peer %s\n", same(peer.pid, getpid()));
   fcntl(pair[0], F_SETOWN, getpid());
   printf("owner %s\n", same(fcntl(pair[0], F_GETOWN), getpid()));
   struct f_owner_ex owner = {F_OWNER_PID, getpid()};
   fcntl(pair[1], F_SETOWN_EX, &owner);
   owner.pid = 0;
   fcntl(pair[1], F_GETOWN_EX, &owner);
   printf("owner again %s\n", same(owner.pid, getpid()));
   int set = semget(IPC_PRIVATE, 1, 0600);
   semctl(set, 0, SETVAL, 1);
   printf("semaphore %s\n", same(semctl(set, 0, GETPID), getpid()));
   semctl(set, 0, IPC_RMID);
   sender = 0;
   sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 1});
   while (!sender)
      sched_yield();
   printf("queued %s\n", same(sender, getpid()));
}

int main(int argc, char** argv)
{
   struct rlimit files;
   setvbuf(stdout, NULL, _IOLBF, 0);
   getrlimit(RLIMIT_CORE, &files);
   if (argc > 1) {
      printf("replaced %d parent %d limit %ld\n", getpid(), getppid(),
             (long)files.rlim_max);
      return 0;
   }
   show_self();
   show_foreign();
   show_child();
   show_threads();
   show_owners();
   files.rlim_max = 12345;
   setrlimit(RLIMIT_CORE, &files);
   fflush(stdout);
   execl(argv[0], argv[0], "limits", (char*)NULL);
   return 1;
}
