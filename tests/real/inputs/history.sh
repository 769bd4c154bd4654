#!/bin/sh
# A repository with a branch that is merged, packed and cloned.
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export GIT_AUTHOR_DATE='2020-01-01 00:00 +0000' GIT_COMMITTER_DATE='2020-01-01 00:00 +0000'
export GIT_CONFIG_NOSYSTEM=1
git init -q -b main one && cd one || exit 1
head -n 200 ../text >file && git add file && git commit -q -m first
git checkout -q -b side && sed -i 5d file && git commit -q -a -m second
git checkout -q main && git merge -q side
git repack -a -d -q
cd .. && git clone -q one two && cd two || exit 1
git log --stat --oneline
git diff HEAD~1 | grep -c '^[-+]'
