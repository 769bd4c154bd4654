#!/bin/sh
# Digests and ciphers have one result; of new keys what is said about signatures.
openssl dgst -sha256 text
openssl enc -aes-256-cbc -pbkdf2 -iter 100 -S 0102030405060708 -pass pass:secret -in text | openssl dgst -sha1
openssl enc -chacha20 -K 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff \
   -iv 000102030405060708090a0b0c0d0e0f -in text |
   openssl dgst -sha3-256
openssl genrsa -out key.pem 512 2>/dev/null
openssl rsa -in key.pem -pubout -out public.pem 2>/dev/null
openssl dgst -sha256 -sign key.pem -out signature text
openssl dgst -sha256 -verify public.pem -signature signature text
