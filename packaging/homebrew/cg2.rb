# cg2 for Homebrew on Linux, of a release that `make release` has made beside it:
#
#     brew install --formula ./packaging/homebrew/cg2.rb
#
# Not run: Homebrew could not be fetched where this was written. Ruby 3.1 has no
# complaint about its syntax (ruby -wc).
class Cg2 < Formula
  include Language::Python::Shebang

  RELEASE = Pathname(__dir__).parent.parent/"release"

  desc "Profiler that takes Callgrind's place in Valgrind"
  homepage "file://#{RELEASE.parent}/README"
  url "file://#{RELEASE}/cg2-1.0.tar.gz"
  sha256 (RELEASE/"SHA256SUMS").read[/^(\h{64})  cg2-1\.0\.tar\.gz$/, 1]
  license "GPL-2.0-or-later"

  depends_on "pkgconf" => :build
  depends_on :linux
  depends_on arch: :x86_64
  depends_on "capstone"
  depends_on "elfutils"
  depends_on "python@3.13"
  depends_on "valgrind"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "./configure", "--prefix=#{prefix}", "--with-valgrind=#{valgrind_prefix}"
    system "make"
    system "make", "install"
    rewrite_shebang detected_python_shebang, *bin.glob("cg2_*")
  end

  def valgrind_prefix
    Formula["valgrind"].opt_prefix
  end

  test do
    system bin/"cg2", "-q", "--cg2-out-file=profile", "/bin/true"
    assert_match(/^totals: \d+$/, (testpath/"profile").read)
    assert_match "Ir: ", shell_output("#{bin}/cg2_annotate profile")
  end
end
