# cg2 for Nix, of an unpacked release:
#
#     nix profile install path:$PWD/cg2-1.0?dir=packaging/nix
#
# Not run: nixpkgs could not be fetched where this was written. Nix 2.8 parses it
# (nix-instantiate --parse).
{
  description = "Profiler that takes Callgrind's place in Valgrind";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-25.05";

  outputs = { self, nixpkgs }:
    let
      pkgs = nixpkgs.legacyPackages.x86_64-linux;

      # nixpkgs has Valgrind's programs and its headers apart; configure looks for both in one prefix.
      valgrind = pkgs.symlinkJoin {
        name = "valgrind-for-cg2";
        paths = [ pkgs.valgrind.out pkgs.valgrind.dev ];
      };
    in
    {
      packages.x86_64-linux.default = pkgs.stdenv.mkDerivation {
        pname = "cg2";
        version = "1.0";
        src = ../..;

        nativeBuildInputs = [ pkgs.pkg-config pkgs.python3 ];
        buildInputs = [ pkgs.capstone pkgs.elfutils pkgs.python3 pkgs.zlib pkgs.zstd ];

        # The tool runs without libc, which what hardens code calls.
        hardeningDisable = [ "all" ];
        # Valgrind reads the symbols of the tool that it runs.
        dontStrip = true;

        configureFlags = [ "--with-valgrind=${valgrind}" ];
        enableParallelBuilding = true;

        doInstallCheck = true;
        installCheckPhase = ''
          $out/bin/cg2 -q --cg2-out-file=profile true
          grep -q '^totals: [0-9]' profile
        '';

        meta = {
          description = "Profiler that takes Callgrind's place in Valgrind";
          license = pkgs.lib.licenses.gpl2Plus;
          mainProgram = "cg2";
          platforms = [ "x86_64-linux" ];
        };
      };
    };
}
