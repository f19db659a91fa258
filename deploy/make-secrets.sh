#!/bin/sh
# Makes the files in deploy/secrets that compose.postgres.yaml mounts: the database's password, and its address with it.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo 'deploy/secrets exists already. The database keeps the password with which it was created: change it there before you remove the folder.' >&2
  exit 1
fi
mkdir -m 700 secrets
password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
printf %s "$password" >secrets/postgres-password
printf 'postgres://catalogue:%s@postgres:5432/catalogue' "$password" >secrets/database-url
# Whoever runs a container reads them there; on this machine the folder keeps everybody else out.
chmod 644 secrets/*
