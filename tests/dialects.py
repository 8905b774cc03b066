"""Programs in families of dialects, and in the dialects of assembly and of SQL."""

import re


def renamed(text: str, names: list[str]) -> str:
    """Return the text with other names, each of the same kind."""
    for number, name in enumerate(names):
        text = re.sub(rf"(?<![\w$%.@]){re.escape(name)}(?![\w$])", f"zq{number}", text)
    return text


# Endings, and a program that is valid in each of them.
FAMILIES = {
    "js jsx mjs cjs ts tsx mts cts es6": """
// it's the shop
import { tax } from './tax';
export default class Cart extends Base {
  static #rate = 0.19;
  constructor(lines, ...rest) { super(lines); this.lines = lines ?? []; this.rest = rest; }
  get sum() { return this.lines.reduce((s, { price, qty = 1 }) => s + price * qty, 0); }
  async load(url) { try { return await fetch(`${url}/x?id=${this.id}`); } catch (e) { log(e); } }
}
for (let i=0; i<n; i++) { if (a<b && c>d || /[/'"]+/g.test(s)) continue; t += o ? p.q.r : -1e3; }
const o = { type: 1, get: 'x', of: [1, 0x1f, 10n], "k": null, async go() { delete this.of; } };
var string = Number(any), number = string / 2 / number, type = 4, declare = 5, module = {};
switch (o.type) { case 'x': throw new Error(`no ${type}`); default: label: while (1) break label; }
""",
    "v sv vh svh": """
// it's the ALU
/* block don't */
`timescale 1ns/1ps
module alu #(parameter N = 8) (input wire [N-1:0] a, b, input [2:0] op, output reg [N-1:0] y);
  always @(*) case (op) 3'b000: y = a + b; 3'h2: y = a & b; default: y = {N{1'b0}}; endcase
  initial begin $display("it's %b", y); #10 $finish; end
endmodule
""",
    "css scss less": """
/* it's the layout */
@import url("x.css");
:root { --main: #336699; }
body { margin: 0 -1.5em; font: 16px/1.5 "Open Sans", sans-serif; background: var(--main); }
.nav ul > li:hover, #top a[href^="http"]::before { display: flex; content: "it's"; color: #fff; }
@media (max-width: 600px) { .nav { width: calc(100% - 2rem); } }
""",
    "php phtml php5 php7": """<?php
// it's the form
function total(array $items, float $tax = 0.19): float {
    $sum = 0; # another
    foreach ($items as $k => $item) { if ($item['qty'] <= 0) continue; $sum += $item["p"] * 2; }
    return round($sum * (1 + $tax), 2);
}
class Cart { private array $lines = []; public function sum() { return total($this->lines); } }
echo <<<TXT
Total: {$cart->sum()} it's
TXT;
$f = fn($x) => $x ?? 'none'; ?>
""",
    "asm s S nasm mips a8086": """
# count the positive numbers, don't stop
        .data
list:   .word 4, -2, 9
        .text
main:   la   $t0, list          # the first element
again:  lw   $t2, 0($t0)
        beqz $t2, finish        # zero ends it
        addi $t1, $t1, 1
        j    again
finish: li   $v0, 10
        syscall
""",
    "c h cpp cc hpp cxx hh": """
#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
typedef struct node { int key; struct node *next; } node;
static unsigned long sum(const node *n, int k) {
  unsigned long s = 0; /* it's */
  for (const node *p = n; p != NULL; p = p->next) { if (p->key % k == 0) s += MAX(p->key, 0x1F); }
  do { switch (k) { case 'a': goto end; default: k--; } } while (k > 0);
end: printf("%lu\\n", s); // done
  return s;
}
""",
    "sql pls pkb mysql pgsql tsql": """
-- it's the schema
CREATE TABLE book (isbn VARCHAR(13) NOT NULL, price DECIMAL(8,2) DEFAULT 0.00, PRIMARY KEY (isbn));
INSERT INTO book (isbn, price) VALUES ('9780000000001', 10.50), ('it''s', -1e3);
SELECT b.isbn, SUM(b.price) AS total FROM book b LEFT JOIN author a ON a.id = b.author_id
WHERE b.price <> 10 GROUP BY b.isbn HAVING COUNT(*) > 5 ORDER BY total DESC;
""",
    "pl pm t cgi perl": 'my %count; foreach my $w (@words) { $count{$w}++ if $w =~ /^[a-z]+$/; }\n'
    'sub total { my ($x, $y) = @_; return $x + $y * 2; }\nprint "it\'s $count{a}\\n";\n',
    "py pyi pyw py3": "class A(B):\n    def f(self, x: int = 1) -> int:\n        return x + 1\n"
    "for i in range(10):\n    print(f'{i} it')\n",
    "f90 f95 f03 f08": "program p\n  integer :: i, n = 10\n  do i = 1, n\n"
    "    print *, i * 2, n - i\n"
    "  end do\nend program p\n",
    "ml mli": "let rec f x = match x with [] -> 0 | y :: ys -> y + f ys\n"
    "let g a b = f a * f b + 1\n",
    "kt kts": "fun f(x: Int): Int { val y = x * 2; return if (y > 3) y else x }\n"
    "println(f(1) + f(2))\n",
    "sh bash zsh ksh": 'for f in *.txt; do n=$((n + 1)); echo "$f $n" | tr a b > out; done\n'
    "if [ -z $n ]; then exit 1; fi\nwhile read -r line; do echo $line; done\n",
    "rb rake gemspec": "def f(x)\n  x.map { |y| y * 2 }.select(&:even?)\nend\n"
    "puts f([1, 2]).sum + 3\n",
    "clj cljs cljc": "(defn f [x] (let [y (* x 2)] (if (> y 3) (inc y) (dec y))))\n"
    "(println (f 1))\n",
    "lua luau wlua": "local function f(x) local t = {} for i = 1, x do t[i] = i * 2 end\n"
    "return #t end\n"
    "print(f(3) .. 'a')\n",
    "mm": "#import <A/A.h>\n@interface B : NSObject\n@property (nonatomic) int x;\n"
    "- (int)sum:(int)a with:(int)b;\n@end\n@implementation B\n- (int)sum:(int)a with:(int)b {"
    " return a + b * [self x]; }\n@end\n",
    "vb bas cls vbs": "Module M\n Sub Main()\n  Dim x As Integer = 1 ' it's\n  For i = 1 To 10\n"
    "   x = x + i * 2\n  Next\n End Sub\nEnd Module\n",
    "ex exs": "defmodule A do\n  def f(x), do: x * 2 + 1\n  def g(l), do: Enum.map(l, &f/1)\nend\n",
    "erl hrl escript": "f(0) -> 1;\nf(N) when N > 0 -> N * f(N - 1).\ng(L) -> [X * 2 || X <- L].\n",
    "groovy gradle": "def f(int x) { return x * 2 + 1 }\n[1, 2, 3].each { println f(it) - 1 }\n",
    "fs fsx fsi": "let rec f x = if x > 3 then x else f (x + 1)\nlet g = List.map f [1; 2; 3]\n"
    "printfn \"%d\" 1\n",
    "adb ads ada": "procedure P is X : Integer := 1; begin for I in 1 .. 9 loop\n"
    "X := X + I; end loop; end P;\n",
    "cs csx": "class A { int F(int x) { for (int i = 0; i < x; i++) x += i * 2;\n"
    "return x - 1; } }\n",
}  # fmt: skip

# A program, its names, and what its comments look like.
ASSEMBLY = {
    "arm-gnu": ("@ the sum, it's\n\t.text\n\t.global sum\nsum:\n\tmov r2, #0 @ isn't it\nloop:\n"
                "\tcmp r1, #0\t@any left\n\tbeq done\n\tldr r3, [r0], #4\n\tb loop\ndone:\n"
                "\tbx lr\n",
                "sum loop done r2 r3", r"\s*@.*$"),
    "arm-keil": ("; it's a sum\n        AREA demo, CODE\n        EXPORT sum\nsum     PROC\n"
                 "        MOV     r2, #0      ; don't\nagain\n        CMP     r1, #0\n"
                 "        BEQ     done\n        ADD     r2, r2, r3\n        B       again\n"
                 "done    BX      lr\n        ENDP\nlimit   EQU     10\n        END\n",
                 "sum again done limit r2 demo", r"\s*;.*$"),
    "arm64": ("// it's\n.global fact\nfact:\n    mov x1, #1 // don't\nnext: cbz x0, out\n"
              "    mul x1, x1, x0\n    sub x0, x0, #1\n    b next\nout: ret\n",
              "fact next out x1", r"\s*//.*$"),
    "lc3": ("; it's\n        .ORIG x3000\n        LD R1, COUNT\nLOOP    ADD R2, R2, R1 ; don't\n"
            "        ADD R1, R1, #-1\n        BRp LOOP\n        HALT\nCOUNT   .FILL #5\n"
            "        .END\n",
            "LOOP COUNT R1 R2", r"\s*;.*$"),
    "lc3-flush": ("LD R1, COUNT\nLOOP ADD R2, R2, R1 ; don't\nADD R1, R1, #-1\nBRp LOOP\nHALT\n"
                  "COUNT .FILL #5\n", "LOOP COUNT", r"\s*;.*$"),
    "m68k": ("* it's a loop\n        ORG     $1000\nstart   move.l  #10,d0      ; don't\n"
             "loop    add.w   d0,d1\n        dbra    d0,loop\n        rts\nvalue   dc.w    $FF\n",
             "start loop value d1", r"\s*;.*$|^\*.*$"),
    "m68k-gnu": ("| it's\n\t.text\nmain:\n\tmoveq #10,%d0 | don't\nloop:\tadd.l %d0,%d1\n"
                 "\tdbra %d0,loop\n\trts\n", "main loop", r"\s*\|.*$"),
    "mips": ("# it's\n.text\nmain: li $t0, 5 #don't\nloop: addi $t1, $t1, 1 # one\n"
             "  bne $t0, $t1, loop\n  syscall # out\n", "main loop", r"\s*#.*$"),
    "x86-gnu": ("# it's\n.globl main\nmain:\n  pushl %ebp # don't\n  movl $5, %eax\n"
                ".L1: decl %eax\n"
                "  jnz .L1\n  call printf\n  ret\n", "main printf", r"\s*#.*$"),
    "nasm": ("; it's\nsection .data\nmsg db 'hi', 10\nlen equ $ - msg\nsection .text\n"
             "global _start\n"
             "_start:\n  mov eax, 4 ; don't\n.top: dec ecx\n  jnz .top\n  int 0x80\n",
             "msg len ecx", r"\s*;.*$"),
    "masm": ("; it's\n.model small\n.data\ncount dw 5\n.code\nmain proc\n  mov ax, @data\n"
             "again: dec count ; don't\n  jnz again\n  int 21h\nmain endp\nend main\n",
             "count main again", r"\s*;.*$"),
    "avr": ("; it's\n.include \"m328.inc\"\n.def temp = r16\nreset: ldi temp, 0xFF ; don't\n"
            "loop: dec temp\n  brne loop\n  out PORTB, temp\n  rjmp reset\n",
            "temp reset loop", r"\s*;.*$"),
    "z80": ("; it's\n        org 100h\nstart:  ld a,(hl) ; don't\n        ex af,af'\n"
            "next    inc hl\n"
            "        cp 0\n        jr nz,next\n        ret\n", "start next", r"\s*;.*$"),
    "6502": ("; it's\n        *=$1000\nstart   lda #$01 ; don't\n        sta value\n@loop:  dex\n"
             "        bne @loop\n        rts\nvalue   .byte 0\n", "start value", r"\s*;.*$"),
    "riscv": ("# it's\n.text\nmain: addi x5, x0, 10 # don't\nloop: addi x6, x6, 1\n"
              "  blt x6, x5, loop\n  ecall\n", "main loop x5 x6", r"\s*#.*$"),
}  # fmt: skip

_PLAIN = """SELECT b.title, total FROM book b WHERE b.price > 10 AND b.title <> 'it' ORDER BY total;
UPDATE book SET price = price * 2 WHERE id IN (SELECT id FROM rush);
"""
_QUOTED = {sign: re.sub(r"\b(title|total|book|price|rush|id)\b", sign, _PLAIN)
           for sign in (r"`\1`", r"[\1]", r'"\1"')}  # fmt: skip

# The plain script, and the same in a dialect.
SQL = {
    "backticks": (_PLAIN, _QUOTED[r"`\1`"]),
    "brackets": (_PLAIN, _QUOTED[r"[\1]"]),
    "quotes": (_PLAIN, _QUOTED[r'"\1"']),
    "quoted names of several words": (
        "SELECT a FROM b;", 'SELECT "Order Id" FROM [Order Details];'
    ),
    "comments of MySQL": (_PLAIN, f"# don't look\n{_PLAIN}# isn't\n"),
    "comments of MySQL behind code": (_PLAIN, _PLAIN.replace(";", "; # don't look")),
    "comments of standard SQL": (_PLAIN, f"-- don't\n/* isn't */{_PLAIN}"),
    "case of keywords": (_PLAIN, _PLAIN.lower().replace("title", "Title")),
    "temporary tables of T-SQL": (
        "SELECT a FROM t; DROP TABLE t;", "SELECT @a FROM #t; DROP TABLE #t;"
    ),
    "bodies in dollar signs": (
        "CREATE FUNCTION f() RETURNS int AS BEGIN RETURN 1; END; ;",
        "CREATE FUNCTION f() RETURNS int AS $body$ BEGIN RETURN 1; END; $body$;",
    ),
    "escaped quotes": ("SELECT 'x', b;", "SELECT 'it\\'s', b;"),
    "backslashes at the end": ("SELECT 'x', b FROM 'y';", "SELECT 'C:\\', b FROM 'y';"),
}  # fmt: skip
