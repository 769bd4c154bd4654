#!/bin/sh
# What is the same whatever key was made.
ssh-keygen -q -t ed25519 -N '' -C comment -f key || exit 1
ssh-keygen -y -f key | cut -d' ' -f1,2 >public
cut -d' ' -f1,2 key.pub | cmp - public && ssh-keygen -l -f key.pub | cut -d' ' -f1,3-
