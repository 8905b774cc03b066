"""Whole programs behind a valid literal that a careless lexer reads to the end of the file.

Each program is named like a file of its language, and is the cover of none.
"""

from typing import Final, NamedTuple


class Trap(NamedTuple):
    """What is written before and after a program, of which the whole is valid."""

    file: str
    before: str
    after: str = ""


PROGRAMS: Final = {
    "a.py": """
def collect(rows, limit):
    found = []
    for row in rows:
        key, value = row.split("=")
        if len(key) < limit and value not in found:
            found.append((key.strip(), int(value) * 2 + 1))
    return sorted(found)

def total(pairs):
    amount = 0
    for key, value in pairs:
        amount += value if key > "m" else -value
    while amount > 100:
        amount = amount // 3 - 1
    return amount

print(total(collect(["a=1", "z=4", "q=19"], 7)))
""",
    "a.c": """
int collect(int *rows, int count, int limit) {
    int found = 0;
    for (int at = 0; at < count; at++) {
        if (rows[at] < limit && rows[at] % 3 != 1) {
            found = found * 2 + rows[at];
        }
    }
    return found;
}

int total(const char *text) {
    int amount = 0;
    while (*text) {
        amount += *text > 'm' ? *text++ : -*text++;
        if (amount > 100) amount = amount / 3 - 1;
    }
    return amount;
}

int main(void) {
    int rows[4] = {4, 8, 15, 16};
    printf("%d %d", collect(rows, 4, 16), total("some words"));
    return 0;
}
""",
    "a.java": """
class Ledger {
    private final List<Integer> found = new ArrayList<>();
    int collect(int[] rows, int limit) {
        for (int at = 0; at < rows.length; at++) {
            if (rows[at] < limit && !found.contains(rows[at])) {
                found.add(rows[at] * 2 + 1);
            }
        }
        return found.size();
    }
    int total(String text) {
        int amount = 0;
        for (char each : text.toCharArray()) {
            amount += each > 'm' ? each : -each;
            while (amount > 100) amount = amount / 3 - 1;
        }
        return amount;
    }
    public static void main(String[] names) {
        System.out.println(new Ledger().total("some words"));
    }
}
""",
    "a.cs": """
class Ledger {
    private readonly List<int> found = new List<int>();
    int Collect(int[] rows, int limit) {
        for (int at = 0; at < rows.Length; at++) {
            if (rows[at] < limit && !found.Contains(rows[at])) {
                found.Add(rows[at] * 2 + 1);
            }
        }
        return found.Count;
    }
    int Total(string text) {
        int amount = 0;
        foreach (char each in text) {
            amount += each > 'm' ? each : -each;
            while (amount > 100) amount = amount / 3 - 1;
        }
        return amount;
    }
    public static void Main(string[] names) {
        Console.WriteLine(new Ledger().Total("some words"));
    }
}
""",
    "a.js": """
function collect(rows, limit) {
    const found = [];
    for (const row of rows) {
        const [key, value] = row.split("=");
        if (key.length < limit && !found.includes(value)) {
            found.push([key.trim(), Number(value) * 2 + 1]);
        }
    }
    return found.sort();
}

function total(pairs) {
    let amount = 0;
    for (const [key, value] of pairs) {
        amount += key > "m" ? value : -value;
        while (amount > 100) { amount = amount / 3 - 1; }
    }
    return amount;
}

console.log(total(collect(["a=1", "z=4", "q=19"], 7)));
""",
    "a.go": """
func collect(rows []int, limit int) []int {
	found := []int{}
	for at, row := range rows {
		if row < limit && at%3 != 1 {
			found = append(found, row*2+1)
		}
	}
	return found
}

func total(text string) int {
	amount := 0
	for _, each := range text {
		if each > 'm' {
			amount += int(each)
		} else {
			amount -= int(each)
		}
		for amount > 100 {
			amount = amount/3 - 1
		}
	}
	return amount
}

func main() {
	fmt.Println(collect([]int{4, 8, 15}, 16), total("some words"))
}
""",
    "a.rs": """
fn collect(rows: &[i32], limit: i32) -> Vec<i32> {
    let mut found = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if *row < limit && at % 3 != 1 {
            found.push(row * 2 + 1);
        }
    }
    found
}

fn total(text: &str) -> i64 {
    let mut amount = 0i64;
    for each in text.chars() {
        amount += if each > 'm' { each as i64 } else { -(each as i64) };
        while amount > 100 {
            amount = amount / 3 - 1;
        }
    }
    amount
}

fn main() {
    println!("{:?} {}", collect(&[4, 8, 15], 16), total("some words"));
}
""",
    "a.kt": """
fun collect(rows: List<Int>, limit: Int): List<Int> {
    val found = mutableListOf<Int>()
    for ((at, row) in rows.withIndex()) {
        if (row < limit && at % 3 != 1) {
            found.add(row * 2 + 1)
        }
    }
    return found.sorted()
}

fun total(text: String): Int {
    var amount = 0
    for (each in text) {
        amount += if (each > 'm') each.code else -each.code
        while (amount > 100) {
            amount = amount / 3 - 1
        }
    }
    return amount
}

fun main() {
    println(total("some words") + collect(listOf(4, 8, 15), 16).size)
}
""",
    "a.swift": """
func collect(_ rows: [Int], limit: Int) -> [Int] {
    var found: [Int] = []
    for (at, row) in rows.enumerated() {
        if row < limit && at % 3 != 1 {
            found.append(row * 2 + 1)
        }
    }
    return found.sorted()
}

func total(_ text: String) -> Int {
    var amount = 0
    for each in text.utf8 {
        amount += each > 109 ? Int(each) : -Int(each)
        while amount > 100 {
            amount = amount / 3 - 1
        }
    }
    return amount
}

print(collect([4, 8, 15], limit: 16), total("some words"))
""",
    "a.scala": """
object Ledger {
  def collect(rows: List[Int], limit: Int): List[Int] = {
    var found = List.empty[Int]
    for ((row, at) <- rows.zipWithIndex) {
      if (row < limit && at % 3 != 1) {
        found = (row * 2 + 1) :: found
      }
    }
    found.sorted
  }
  def total(text: String): Int = {
    var amount = 0
    for (each <- text) {
      amount += (if (each > 'm') each.toInt else -each.toInt)
      while (amount > 100) {
        amount = amount / 3 - 1
      }
    }
    amount
  }
  def main(names: Array[String]): Unit = println(total("some words"))
}
""",
    "a.php": """
function collect($rows, $limit) {
    $found = [];
    foreach ($rows as $row) {
        list($key, $value) = explode("=", $row);
        if (strlen($key) < $limit && !in_array($value, $found)) {
            $found[] = [trim($key), intval($value) * 2 + 1];
        }
    }
    return $found;
}

function total($pairs) {
    $amount = 0;
    foreach ($pairs as [$key, $value]) {
        $amount += $key > "m" ? $value : -$value;
        while ($amount > 100) { $amount = $amount / 3 - 1; }
    }
    return $amount;
}

echo total(collect(["a=1", "z=4", "q=19"], 7));
""",
    "a.rb": """
def collect(rows, limit)
  found = []
  rows.each do |row|
    key, value = row.split("=")
    if key.size < limit && !found.include?(value)
      found << [key.strip, value.to_i * 2 + 1]
    end
  end
  found.sort
end

def total(pairs)
  amount = 0
  pairs.each do |key, value|
    amount += key > "m" ? value : -value
    while amount > 100
      amount = amount / 3 - 1
    end
  end
  amount
end

puts total(collect(["a=1", "z=4", "q=19"], 7))
""",
    "a.perl": """
sub collect {
    my ($rows, $limit) = @_;
    my @found;
    foreach my $row (@$rows) {
        my ($key, $value) = split("=", $row);
        if (length($key) < $limit && $value != 3) {
            push(@found, [$key, $value * 2 + 1]);
        }
    }
    return @found;
}

sub total {
    my $amount = 0;
    foreach my $pair (@_) {
        $amount += $pair->[0] gt "m" ? $pair->[1] : -$pair->[1];
        while ($amount > 100) { $amount = $amount / 3 - 1; }
    }
    return $amount;
}

print(total(collect(["a=1", "z=4", "q=19"], 7)));
""",
    "a.sh": """
collect() {
    local limit=$1 found=""
    shift
    for row in "$@"; do
        key=${row%%=*}
        value=${row##*=}
        if [ "${#key}" -lt "$limit" ] && [ "$value" != 3 ]; then
            found="$found $key:$((value * 2 + 1))"
        fi
    done
    echo "$found"
}

total() {
    amount=0
    for pair in $1; do
        amount=$((amount + ${pair#*:}))
        while [ "$amount" -gt 100 ]; do
            amount=$((amount / 3 - 1))
        done
    done
    echo "$amount"
}

total "$(collect 7 a=1 z=4 q=19)"
""",
    "a.lua": """
local function collect(rows, limit)
  local found = {}
  for at, row in ipairs(rows) do
    local key, value = row:match("(%w+)=(%d+)")
    if #key < limit and tonumber(value) ~= 3 then
      found[#found + 1] = {key, tonumber(value) * 2 + at}
    end
  end
  return found
end

local function total(pairs_found)
  local amount = 0
  for _, pair in ipairs(pairs_found) do
    amount = amount + (pair[1] > "m" and pair[2] or -pair[2])
    while amount > 100 do
      amount = amount / 3 - 1
    end
  end
  return amount
end

print(total(collect({"a=1", "z=4", "q=19"}, 7)))
""",
    "a.R": """
collect <- function(rows, limit) {
  found <- c()
  for (row in rows) {
    parts <- strsplit(row, "=")[[1]]
    if (nchar(parts[1]) < limit && parts[2] != 3) {
      found <- c(found, as.numeric(parts[2]) * 2 + 1)
    }
  }
  return(sort(found))
}

total <- function(values, names) {
  amount <- 0
  for (at in seq_along(values)) {
    amount <- amount + if (names[at] > "m") values[at] else -values[at]
    while (amount > 100) {
      amount <- amount / 3 - 1
    }
  }
  amount
}

print(total(collect(c("a=1", "z=4", "q=19"), 7), c("a", "z", "q")))
""",
    "a.hs": """
collect :: [(String, Int)] -> Int -> [Int]
collect rows limit = foldr step [] rows
  where
    step (key, value) found
      | length key < limit && value `notElem` found = (value * 2 + 1) : found
      | otherwise = found

total :: [(String, Int)] -> Int
total pairs = go 0 pairs
  where
    go amount [] = amount
    go amount ((key, value) : rest)
      | amount > 100 = go (amount `div` 3 - 1) rest
      | key > "m" = go (amount + value) rest
      | otherwise = go (amount - value) rest

main :: IO ()
main = do
  let rows = [("a", 1), ("z", 4), ("q", 19)]
  print (total rows, collect rows 7)
""",
    "a.ml": """
let collect rows limit =
  let found = ref [] in
  List.iter (fun (key, value) ->
    if String.length key < limit && not (List.mem value !found) then
      found := (value * 2 + 1) :: !found) rows;
  List.sort compare !found

let rec total amount pairs =
  match pairs with
  | [] -> amount
  | (key, value) :: rest ->
    let amount = if key > "m" then amount + value else amount - value in
    let amount = if amount > 100 then amount / 3 - 1 else amount in
    total amount rest

let () =
  let rows = [("a", 1); ("z", 4); ("q", 19)] in
  print_int (total 0 rows + List.length (collect rows 7))
""",
    "a.sql": """
create table ledger (id integer primary key, owner varchar(20), amount integer);
insert into ledger (id, owner, amount) values (1, 'ann', 12), (2, 'bob', 47);
select owner, sum(amount) as total, count(id) as rows_found
  from ledger left join visits on ledger.owner = visits.owner
  where amount > 10 and visits.day between 3 and 19
  group by owner having sum(amount) < 900 order by total desc;
update ledger set amount = amount * 2 + 1 where owner = 'ann' or id in (4, 8, 15);
delete from ledger where amount / 3 - 1 > 100 and owner like 'z%';
select max(amount) - min(amount) as spread, avg(amount) from ledger where id <> 7;
""",
    "a.prolog": """
collect([], _, []).
collect([Key-Value | Rest], Limit, [Double | Found]) :-
    atom_length(Key, Length),
    Length < Limit,
    Double is Value * 2 + 1,
    collect(Rest, Limit, Found).
collect([_ | Rest], Limit, Found) :-
    collect(Rest, Limit, Found).

total([], Amount, Amount).
total([Value | Rest], Before, Amount) :-
    Before > 100, !,
    Next is Before // 3 - 1 + Value,
    total(Rest, Next, Amount).
total([Value | Rest], Before, Amount) :-
    Next is Before + Value,
    total(Rest, Next, Amount).

main :- collect([a-1, z-4, q-19], 7, Found), total(Found, 0, Sum), write(Sum), nl.
""",
    "a.tcl": """
proc collect {rows limit} {
    set found [list]
    foreach row $rows {
        set parts [split $row =]
        set key [lindex $parts 0]
        set value [lindex $parts 1]
        if {[string length $key] < $limit && $value != 3} {
            lappend found [expr {$value * 2 + 1}]
        }
    }
    return [lsort -integer $found]
}

proc total {values} {
    set amount 0
    foreach value $values {
        set amount [expr {$amount + $value}]
        while {$amount > 100} {
            set amount [expr {$amount / 3 - 1}]
        }
    }
    return $amount
}

puts [total [collect {a=1 z=4 q=19} 7]]
""",
    "a.jl": """
function collect_rows(rows, limit)
    found = Int[]
    for (at, row) in enumerate(rows)
        key, value = split(row, "=")
        if length(key) < limit && at % 3 != 1
            push!(found, parse(Int, value) * 2 + 1)
        end
    end
    return sort(found)
end

function total(values)
    amount = 0
    for value in values
        amount += value > 9 ? value : -value
        while amount > 100
            amount = div(amount, 3) - 1
        end
    end
    return amount
end

println(total(collect_rows(["a=1", "z=4", "q=19"], 7)))
""",
    "a.dart": """
List<int> collect(List<String> rows, int limit) {
  final found = <int>[];
  for (final row in rows) {
    final parts = row.split("=");
    if (parts[0].length < limit && parts[1] != "3") {
      found.add(int.parse(parts[1]) * 2 + 1);
    }
  }
  return found;
}

int total(List<int> values) {
  var amount = 0;
  for (final value in values) {
    amount += value > 9 ? value : -value;
    while (amount > 100) {
      amount = amount ~/ 3 - 1;
    }
  }
  return amount;
}

void main() {
  print(total(collect(["a=1", "z=4", "q=19"], 7)));
}
""",
    "a.ex": """
defmodule Ledger do
  def collect(rows, limit) do
    Enum.flat_map(rows, fn {key, value} ->
      if String.length(key) < limit and value != 3 do
        [value * 2 + 1]
      else
        []
      end
    end)
  end

  def total([], amount), do: amount
  def total([value | rest], amount) when amount > 100 do
    total(rest, div(amount, 3) - 1 + value)
  end
  def total([value | rest], amount) do
    total(rest, amount + if(value > 9, do: value, else: -value))
  end
end

IO.puts(Ledger.total(Ledger.collect([{"a", 1}, {"z", 4}, {"q", 19}], 7), 0))
""",
    "a.erl": """
collect([], _Limit) -> [];
collect([{Key, Value} | Rest], Limit) when length(Key) < Limit, Value =/= 3 ->
    [Value * 2 + 1 | collect(Rest, Limit)];
collect([_ | Rest], Limit) ->
    collect(Rest, Limit).

total([], Amount) -> Amount;
total([Value | Rest], Amount) when Amount > 100 ->
    total(Rest, Amount div 3 - 1 + Value);
total([Value | Rest], Amount) ->
    Next = case Value > 9 of
        true -> Amount + Value;
        false -> Amount - Value
    end,
    total(Rest, Next).

main() ->
    Found = collect([{"a", 1}, {"z", 4}, {"q", 19}], 7),
    io:format("~p~n", [total(Found, 0)]).
""",
    "a.ps1": """
function Get-Found($rows, $limit) {
    $found = @()
    foreach ($row in $rows) {
        $key, $value = $row.Split("=")
        if ($key.Length -lt $limit -and $value -ne 3) {
            $found += [int]$value * 2 + 1
        }
    }
    return $found
}

function Get-Total($values) {
    $amount = 0
    foreach ($value in $values) {
        if ($value -gt 9) { $amount += $value } else { $amount -= $value }
        while ($amount -gt 100) { $amount = $amount / 3 - 1 }
    }
    return $amount
}

Write-Output (Get-Total (Get-Found @("a=1", "z=4", "q=19") 7))
""",
    "a.vb": """
Module Ledger
    Function Collect(rows As List(Of Integer), limit As Integer) As Integer
        Dim found As Integer = 0
        For Each row As Integer In rows
            If row < limit AndAlso row Mod 3 <> 1 Then
                found = found * 2 + row
            End If
        Next
        Return found
    End Function
    Function Total(text As String) As Integer
        Dim amount As Integer = 0
        For at As Integer = 0 To text.Length - 1
            amount += Asc(text(at)) - 100
            While amount > 100
                amount = amount / 3 - 1
            End While
        Next
        Return amount
    End Function
    Sub Main()
        Console.WriteLine(Total("some words"))
    End Sub
End Module
""",
    "a.v": """
module ledger(input clk, input [7:0] row, input [7:0] limit, output reg [7:0] amount);
  reg [7:0] found;
  wire is_less = (row < limit) && (found != row);
  always @(posedge clk) begin
    if (is_less) begin
      found <= row * 2 + 1;
      amount <= amount + row;
    end else if (amount > 100) begin
      amount <= amount / 3 - 1;
    end
    case (row[1:0])
      2'b00: found <= 8'h0f;
      2'b01: found <= found ^ 8'hf0;
      default: found <= found + 1;
    endcase
  end
  initial begin
    amount = 0;
    found = 4;
  end
endmodule
""",
    "a.vhd": """
architecture behaviour of ledger is
  signal amount : integer range 0 to 255 := 0;
  signal found : std_logic_vector(7 downto 0);
begin
  collect : process (clock, reset)
    variable value : integer := 0;
  begin
    if reset = '1' then
      amount <= 0;
    elsif rising_edge(clock) then
      value := value * 2 + 1;
      if value > 100 then
        amount <= value / 3 - 1;
        found <= "10010110";
      else
        amount <= amount + value;
      end if;
    end if;
  end process;
  total <= found when amount > 9 else "00000000";
end behaviour;
""",
    "a.adb": """
procedure Ledger is
   Amount : Integer := 0;
   function Collect (Rows : Integer; Limit : Integer) return Integer is
      Found : Integer := 0;
   begin
      for At_Row in 1 .. Rows loop
         if At_Row < Limit and then At_Row mod 3 /= 1 then
            Found := Found * 2 + At_Row;
         end if;
      end loop;
      return Found;
   end Collect;
begin
   for Value in 4 .. 19 loop
      Amount := Amount + Collect (Value, 7);
      while Amount > 100 loop
         Amount := Amount / 3 - 1;
      end loop;
   end loop;
   Put_Line ("some words" & Integer'Image (Amount));
end Ledger;
""",
}
PROGRAMS["a.cpp"] = PROGRAMS["a.c"]
PROGRAMS["a.ts"] = PROGRAMS["a.js"]

TRAPS: Final = (
    # All branches of a condition that only the compiler's options decide are read.
    Trap("a.cs", "#if false\n", "#endif\n"),
    Trap("a.cs", "#define A\n#if !A\n#elif A\n", "#endif\n"),
    Trap("a.cs", "#if !(A || false)\n", "#endif\n"),
    Trap("a.cs", '#line 7 "/*"\n', "//*/\n"),
    Trap("a.cs", "#line hidden\n"),
    Trap("a.swift", "#if false\n", "#endif\n"),
    Trap("a.swift", "#if false\n#elseif !os(Windows)\n", "#endif\n"),
    Trap("a.swift", '#sourceLocation(file: "/*", line: 7)\n', "//*/\n"),
    Trap("a.vb", "#If False Then\n", "#End If\n"),
    Trap("a.vb", "#Const A = True\n#If Not A Then\n#ElseIf A Then\n", "#End If\n"),
    Trap("a.v", "`ifdef NEVER\n", "`endif\n"),
    Trap("a.v", "`ifndef NEVER\n", "`endif\n"),
    Trap("a.v", "`ifdef NEVER\n`else\n", "`endif\n"),
    Trap("a.v", '`line 7 "/*" 1\n', "//*/\n"),
    Trap("a.v", '`define A "/*"\n', "//*/\n"),
    Trap("a.v", "`define A /\\\n`\n", "//`\n"),
    Trap("a.rs", "#[cfg(not(any()))]\nmod a {\n", "}\n"),
    Trap("a.rs", '#[cfg_attr(any(), path = "/*")]\n', "//*/\n"),
    Trap("a.c", '#line 7 "/*"\n', "//*/\n"),
    Trap("a.c", '#line 7 /*\n*/ "a.c"\n'),
    Trap("a.c", "#line \\\n7\n"),
    Trap("a.c", "#line 7 // \\\n /*\n", "//*/\n"),
    Trap("a.c", "#define line 8\n#line line\n"),
    Trap("a.c", '# 7 "/*"\n', "//*/\n"),
    Trap("a.cpp", '#line 7 "/*"\n', "//*/\n"),
    Trap("a.py", "'''\\'''\n'''\n", "#'''\n"),
    Trap("a.py", 'r"""\\"""\n"""\n', '#"""\n'),
    Trap("a.py", "b'''\\'''\n'''\n", "#'''\n"),
    Trap("a.py", "Rb'''\\'''\n'''\n", "#'''\n"),
    Trap("a.py", "f'''\\'''\n'''\n", "#'''\n"),
    Trap("a.py", "rf'''\\'''\n'''\n", "#'''\n"),
    Trap("a.py", 'x = \'\\\n"""\'\n', '#"""\n'),
    Trap("a.py", 'x = f\'{1:\\\n"""}\'\n', '#"""\n'),
    Trap("a.c", "#if 0 == 0\n", "#endif\n"),
    Trap("a.c", "#if 0x1\n", "#endif\n"),
    Trap("a.c", "#if 01\n", "#endif\n"),
    Trap("a.c", "#if 0 || 1\n", "#endif\n"),
    Trap("a.c", "#if 0\n# else\n", "#endif\n"),
    Trap("a.c", "#if 0\n%:else\n", "#endif\n"),
    Trap("a.c", "#if 0\n#/**/else\n", "#endif\n"),
    Trap("a.c", "#if 0\n#\\\nelse\n", "#endif\n"),
    Trap("a.c", "#if 0\n#el\\\nse\n", "#endif\n"),
    Trap("a.c", "#if 0\n#elif 1\n", "#endif\n"),
    Trap("a.c", "#if 0\n/*\n#endif */\n#else\n", "#endif\n"),
    Trap("a.c", "#if 0 /*\n*/ == 0\n", "#endif\n"),
    Trap("a.c", "#if 0 \\\n == 0\n", "#endif\n"),
    Trap("a.c", "#if 0 ??/\n == 0\n", "#endif\n"),
    Trap("a.c", "#if 0\n??=else\n", "#endif\n"),
    Trap("a.c", "#if 0\n#elifndef X\n", "#endif\n"),
    Trap("a.c", "#if 0 ? 0 : 1\n", "#endif\n"),
    Trap("a.c", "#if 0U == 0\n", "#endif\n"),
    Trap("a.c", "#if 0&0|1\n", "#endif\n"),
    Trap("a.c", "#if 0\n#if 1\n#else\n#endif\n#else\n", "#endif\n"),
    Trap("a.c", "#if 0 /* #endif\n*/\n#endif\n"),
    Trap("a.c", "/* *\\\n/\n", "/* */\n"),
    Trap("a.c", 'const char *q = "\\\\\\\n"; /*"\n*/\n', '/* " */\n'),
    Trap("a.c", "#define Q(line) line\n#line 7\n"),
    Trap("a.c", "#define Q '\n", "//'\n"),
    Trap("a.cpp", 'auto q = R"(")";\n', '//"\n'),
    Trap("a.cpp", 'auto q = u8R"x()" /*)x";\n', "//*/\n"),
    Trap("a.cpp", 'auto q = LR"(\\)";\n', '//"\n'),
    Trap("a.cpp", "int q = 1'0'0; //'\n"),
    Trap("a.cpp", "auto q = 0x1'f; /*'*/\n"),
    Trap("a.cpp", "#if 0 or 1\n", "#endif\n"),
    Trap("a.java", 'class A { String q = """\n\\"""\n"""; }\n', '//"""\n'),
    Trap("a.java", "class A { char q = '\"'; }\n", '//"\n'),
    Trap("a.java", "class A { char q = '\\u005c''; }\n", "//'\n"),
    Trap("a.java", 'class A { String q = "\\u0022+ "/*"; }\n', "//*/\n"),
    Trap("a.java", "/* \\u002a/\n", "/* */\n"),
    Trap("a.java", "/**/ /* /* */\n", "/* */\n"),
    Trap("a.cs", 'class A { string q = @"\\"; }\n', '//"\n'),
    Trap("a.cs", 'class A { string q = $@"\\{1}\\"; }\n', '//"\n'),
    Trap("a.cs", 'class A { string q = @$"\\"; }\n', '//"\n'),
    Trap("a.cs", 'class A { string q = """ " """; }\n', '//"\n'),
    Trap("a.cs", 'class A { string q = """"\n"""\n/*\n""""; }\n', "//*/\n"),
    Trap("a.cs", "#if !false\n", "#endif\n"),
    Trap("a.cs", "#if false\n#else\n", "#endif\n"),
    Trap("a.cs", "#region don't /*\n", "#endregion */\n"),
    Trap("a.cs", 'class A { string q = $"{"/*"}"; }\n', "//*/\n"),
    Trap("a.cs", "class A { char q = '\"'; }\n", '//"\n'),
    Trap("a.js", "if(0)/[/*]/\n", "//*/\n"),
    Trap("a.js", "import.meta,(() => {/[/*]/\n", "//*/\n})()\n"),
    Trap("a.js", "while(0)/[`]/\n", "//`\n"),
    Trap("a.js", "const q = `${`/*`}`\n", "//*/\n"),
    Trap("a.js", "const q = `${'`'}`\n", "//`\n"),
    Trap("a.js", "{}/[/*]/\n", "//*/\n"),
    Trap("a.js", "let x = 4\n/2; let y = '/*'\n", "//*/\n"),
    Trap("a.js", "let i = 1; i++ / 2; '/*'; i / 1\n", "//*/\n"),
    Trap("a.js", 'let q = /["]/, r = [1] / 2\n', '//"\n'),
    Trap("a.js", "const f = x => x ? /'/ : /\"/\n", "//'\n"),
    Trap("a.js", "function* g() { yield /[`]/ }\n", "//`\n"),
    Trap("a.js", "function f() { return /[`'\"/*]/ }\n", "//`'\n"),
    Trap("a.js", "a: /[/*]/\n", "//*/\n"),
    Trap("a.js", "let of = 4; of /2; '/*'; of /2\n", "//*/\n"),
    Trap("a.js", "do /[/*]/; while(0)\n", "//*/\n"),
    Trap("a.js", "let o = {if: 1}; o.if /1; '/*'; 1 /2\n", "//*/\n"),
    Trap("a.js", "switch(1) { case /[/*]/: }\n", "//*/\n"),
    Trap("a.js", "let q = '\\\n`'\n", "//`\n"),
    Trap("a.js", "for(;0;)/[/*]/\n", "//*/\n"),
    Trap("a.js", "typeof /[/*]/\n", "//*/\n"),
    Trap("a.js", "if((0))/[/*]/\n", "//*/\n"),
    Trap("a.ts", "if(0)/[/*]/\n", "//*/\n"),
    Trap("a.ts", "const q = `${`/*`}`\n", "//*/\n"),
    Trap("a.ts", "let x = 4\n/2; let y = '/*'\n", "//*/\n"),
    Trap("a.go", "package main\nvar q = '`'\n", "//`\n"),
    Trap("a.go", "package main\nvar q = '\"'\n", '//"\n'),
    Trap("a.go", "package main\nvar q = `\\`\n", "//`\n"),
    Trap("a.go", 'package main\nvar q = `"/*`\n', '//*/"\n'),
    Trap("a.rs", 'const Q: &str = r#"""#;\n', '//"\n'),
    Trap("a.rs", 'const Q: &str = r"\\";\n', '//"\n'),
    Trap("a.rs", 'const Q: &[u8] = br##""#"##;\n', '//"\n'),
    Trap("a.rs", "const Q: char = '\"';\n", '//"\n'),
    Trap("a.rs", "const Q: u8 = b'\"';\n", '//"\n'),
    Trap("a.rs", 'const Q: &std::ffi::CStr = cr#"""#;\n', '//"\n'),
    Trap("a.rs", '/* /* */ " */\n', '//"\n'),
    Trap("a.rs", "fn f<'a>(x: &'a str) -> &'a str { x }\n", "//'\n"),
    Trap("a.rs", 'const Q: &str = "\\\\";\n', '//"\n'),
    Trap("a.kt", 'val q = """\\"""\n', '//"""\n'),
    Trap("a.kt", 'val q = """${"""}"""}"""\n', '//"""\n'),
    Trap("a.kt", 'val q = """a""""\n', '//"\n'),
    Trap("a.kt", "val q = '\"'\n", '//"\n'),
    Trap("a.kt", 'val `"` = 1\n', '//"\n'),
    Trap("a.kt", 'val q = "${"/*"}"\n', "//*/\n"),
    Trap("a.kt", '/* /* */ */ val q = 1 /* " */\n', '//"\n'),
    Trap("a.swift", 'let q = #"""#\n', '//"\n'),
    Trap("a.swift", 'let q = #"\\"#\n', '//"\n'),
    Trap("a.swift", 'let q = """\n\\"""\n"""\n', '//"""\n'),
    Trap("a.swift", 'let q = "\\("/*")"\n', "//*/\n"),
    Trap("a.swift", '/* /* */ */ let q = 1 /* " */\n', '//"\n'),
    Trap("a.swift", 'let q = ##"""#"##\n', '//"\n'),
    Trap("a.swift", 'let q = #/"/#\n', '//"\n'),
    Trap("a.swift", 'let q = #"""\n"""\n"""#\n', '//"""\n'),
    Trap("a.scala", 'val q = """\\"""\n', '//"""\n'),
    Trap("a.scala", "val q = '\"'\n", '//"\n'),
    Trap("a.scala", 'val q = s"""${"/*"}"""\n', "//*/\n"),
    Trap("a.scala", 'val q = """a""""\n', '//"\n'),
    Trap("a.scala", 'val `"` = 1\n', '//"\n'),
    Trap("a.scala", '/* /* */ " */\n', '//"\n'),
    Trap("a.php", "<?php // ?><?php\n"),
    Trap("a.php", "<?php # ' ?> /* <?php\n"),
    Trap("a.php", "<?php $q = '\\\\';\n", "//'\n"),
    Trap("a.php", "<?php $q = <<<'A'\n  /*\n  A;\n", "//*/\n"),
    Trap("a.php", "<?php $q = <<<A\n{$x['A']}\nAB\nA;\n", "//A\n"),
    Trap("a.php", '<?php $q = "{$x["/*"]}";\n', "//*/\n"),
    Trap("a.php", "<?php $q = `echo \\` /*`;\n", "//*/\n"),
    Trap("a.php", "<script>don't</script>\n<?php\n"),
    Trap("a.php", "<?php #[A('\\'')]\n", "//'\n"),
    Trap("a.php", "<?= 1 /* ?> */ ?>\n<?php\n"),
    Trap("a.rb", 'q = ?"\n', '#"\n'),
    Trap("a.rb", "q = ?'\n", "#'\n"),
    Trap("a.rb", 'q = %q(a (") b)\n', '#"\n'),
    Trap("a.rb", "q = [<<A, <<'B']\n\"\nA\n'\nB\n", "#'\"\n"),
    Trap("a.rb", "q = <<~'A b'\n  /\"\n  A b\n", '#"\n'),
    Trap("a.rb", "q = 1 <<B\n", "#B\nB\n"),
    Trap("a.rb", 'q = "#{"#{%(")}"}"\n', '#"\n'),
    Trap("a.rb", "q = $'\n", "#'\n"),
    Trap("a.rb", 'q = $"\n', '#"\n'),
    Trap("a.rb", "q = 4; r = q /2; s = '/'\n", "#/\n"),
    Trap("a.rb", 'q = :"a\\""\n', '#"\n'),
    Trap("a.rb", "q = %w[' \"]\n", "#'\"\n"),
    Trap("a.rb", "q = <<A\n=begin\nA\n", "=begin\n=end\n"),
    Trap("a.rb", "q = <<A\n__END__\nA\n"),
    Trap("a.rb", "q = % ' \n", "#'\n"),
    Trap("a.perl", "my $q = <<'A';\n__END__\nA\n"),
    Trap("a.perl", "my $q = <<'A';\n=pod\nA\n", "\n=cut\n"),
    Trap("a.perl", 'my $q = <<"A b";\n\'/\nA b\n', "#'\n"),
    Trap("a.perl", 'my $q = "\n=pod\n";\n', "\n=cut\n"),
    Trap("a.perl", 'my $q = "\n__END__\n";\n'),
    Trap("a.perl", "my $q = q{\n=pod\n};\n", "\n=cut\n"),
    Trap("a.perl", "my %h; my $q = $h{s}{a}; my $r = $h{y};\n", "#}\n"),
    Trap("a.perl", "my %h = (y => 1, s => 2, q => 3, m => 4);\n", "#=\n"),
    Trap("a.perl", "my $q = q#'#;\n", "#'\n"),
    Trap("a.perl", "my $q = q<a <'> b>;\n", "#'\n"),
    Trap("a.perl", "my $q = q(a (') b);\n", "#'\n"),
    Trap("a.perl", "my @a = (1); my $q = $#a; my $r = $#{[']']};\n", "#'\n"),
    Trap("a.perl", "my $q = $'; \n", "#'\n"),
    Trap("a.perl", 'my $q = $";\n', '#"\n'),
    Trap("a.perl", "my ($q, $r) = (<<A, <<'B');\n'\nA\n\"\nB\n", "#'\"\n"),
    Trap("a.perl", "my $q = 4; my $r = $q /2; my $s = '/';\n", "#/\n"),
    Trap("a.perl", "my $q = 'x' x 1 if 0;\n", "#'\n"),
    Trap("a.perl", "my $q = qw'a b'; my $r = m'\"';\n", '#"\n'),
    Trap("a.perl", "my $q = 'a' =~ tr/'/\"/r; my $s = 'b' =~ s{'}{\"}r;\n", "#'\"\n"),
    Trap("a.perl", "my $q = <<A . 'b';\n'\nA\n", "#'\n"),
    Trap("a.perl", "my $q = <<\\A;\n'\nA\n", "#'\n"),
    Trap("a.perl", "my $q = << 'A';\n__END__\nA\n"),
    Trap("a.perl", "my $q = 1 <<A;\nsub A { 2 }\n", "#A\nA\n"),
    Trap("a.sh", "q=$((1<<E))\n", "# E\n"),
    Trap("a.sh", "q=$'\\''\n", "#'\n"),
    Trap("a.sh", "q=${x#\\'}\n", "#'\n"),
    Trap("a.sh", "cat <<\\E\n'\nE\n", "#'\n"),
    Trap("a.sh", "cat <<'A b'\n\"\nA b\n", '#"\n'),
    Trap("a.sh", "cat <<A <<B\n'\nA\n\"\nB\n", "#'\"\n"),
    Trap("a.sh", "cat <<-A\n\t'\n\tA\n", "#'\n"),
    Trap("a.sh", "echo \\' \\\"\n", "#'\n"),
    Trap("a.sh", "echo a#'b'\n", "#'\n"),
    Trap("a.sh", "case x in ')') ;; esac\n", "#'\n"),
    Trap("a.sh", 'q="$(echo "\'")"\n', "#'\n"),
    Trap("a.sh", 'q="${x:-"\'"}"\n', "#'\n"),
    Trap("a.sh", "cat <<< ' \" '\n", '#"\n'),
    Trap("a.sh", "((q = 1 << E)); E=2\n", "#E\n"),
    Trap("a.sh", "let q=1\\<\\<E\n"),
    Trap("a.sh", "cat <<E\n\\`'\nE\n", "#'`\n"),
    Trap("a.sh", 'q="\\\\"\n', '#"\n'),
    Trap("a.lua", 'local q = [==[ ]] ]=] " ]==]\n', '--"\n'),
    Trap("a.lua", "--[==[ ]] ]==]\n", "--]]\n"),
    Trap("a.lua", "--[=x\n", "--]=]\n"),
    Trap("a.lua", "local q = '\\\n\"'\n", '--"\n'),
    Trap("a.lua", "local q = '\\\\'\n", "--'\n"),
    Trap("a.lua", "local q = '\\z\n  \"'\n", '--"\n'),
    Trap("a.lua", "--[[]]\nlocal q = [[\\]]\n", "--]]\n"),
    Trap("a.R", 'q <- r"(")"\n', '#"\n'),
    Trap("a.R", "q <- r'---[']---'\n", "#'\n"),
    Trap("a.R", 'q <- R"{\\}"\n', '#"\n'),
    Trap("a.R", '`a"` <- 1\n', '#"\n'),
    Trap("a.R", "`%'%` <- function(a, b) a; 1 %'% 2\n", "#'\n"),
    Trap("a.R", "q <- '\\\\'\n", "#'\n"),
    Trap("a.hs", "q' = '\"'\n", '--"\n'),
    Trap("a.hs", '{- {- -} " -}\n', '--"\n'),
    Trap("a.hs", 'q = "\\\n  \\{-"\n', "-- -}\n"),
    Trap("a.hs", '{-# ANN q "-}" #-}\n', '--"\n'),
    Trap("a.hs", 'q = "a\\\\"\n', '--"\n'),
    Trap("a.hs", "f' x' = x'\nq = f' '\\''\n", "--'\n"),
    Trap("a.ml", "let q = '\"'\n", '(*"*)\n'),
    Trap("a.ml", '(* "*)" *)\n', "(* *)\n"),
    Trap("a.ml", 'let q = {|"|}\n'),
    Trap("a.ml", 'let q = {a|" |} |a}\n'),
    Trap("a.ml", "let q = {|(*|}\n", "(**)\n"),
    Trap("a.ml", "let f (x : 'a) = x let q = '\\''\n"),
    Trap("a.ml", "(* '\"' *)\n"),
    Trap("a.ml", 'let q = "\\\\"\n'),
    Trap("a.sql", "select '\\';\n", "-- '\n"),
    Trap("a.sql", "select 'it''s';\n", "-- '\n"),
    Trap("a.sql", 'select "a\'b";\n', "-- '\n"),
    Trap("a.sql", "/*!\n", "*/\n"),
    Trap("a.sql", "/*!50003\n", "*/\n"),
    Trap("a.sql", "/* /* */\n", "-- */ */\n"),
    Trap("a.sql", "select $$'$$;\n", "-- '\n"),
    Trap("a.sql", "select q'[it's]' from dual;\n", "-- '\n"),
    Trap("a.prolog", "q(0'').\n", "% '\n"),
    Trap("a.prolog", "q(0'\").\n", '% "\n'),
    Trap("a.prolog", "q('it''s').\n", "% '\n"),
    Trap("a.prolog", "q(0'%, 1). q('\\\\').\n", "% '\n"),
    Trap("a.prolog", 'q(`"`).\n', '% "\n'),
    Trap("a.prolog", "q('/*').\n", "% */\n"),
    Trap("a.tcl", 'set q {"}\n', '#"\n'),
    Trap("a.tcl", 'set q a"b\n', '#"\n'),
    Trap("a.tcl", 'set q \\"\n', '#"\n'),
    Trap("a.tcl", "set q \\{\n", "#}\n"),
    Trap("a.tcl", 'set q "{"\n', "#}\n"),
    Trap("a.jl", "q = '\"'\n", '#"\n'),
    Trap("a.jl", '#= #= =# " =#\n', '#"\n'),
    Trap("a.jl", "q = [1 2]'; r = [3 4]'\n", "#'\n"),
    Trap("a.jl", 'q = raw"\\\\"\n', '#"\n'),
    Trap("a.jl", 'q = "$("#=")"\n', "#=#\n"),
    Trap("a.jl", 'q = """\\""" """\n', '#"""\n'),
    Trap("a.dart", "var q = r'\\';\n", "//'\n"),
    Trap("a.dart", "var q = '${\"'\"}';\n", "//'\n"),
    Trap("a.dart", '/* /* */ " */\n', '//"\n'),
    Trap("a.dart", "var q = r'''\\''';\n", "//'''\n"),
    Trap("a.dart", "var q = '''\\''' ''';\n", "//'''\n"),
    Trap("a.ex", 'q = ?"\n', '#"\n'),
    Trap("a.ex", "q = ~S(\\)\n", "#)\n"),
    Trap("a.ex", 'q = ~s{"}\n', '#"\n'),
    Trap("a.ex", 'q = "#{"\\""}"\n', '#"\n'),
    Trap("a.ex", 'q = ~S"""\n\\"\n"""\n', '#"\n'),
    Trap("a.erl", 'q() -> $".\n', '%"\n'),
    Trap("a.erl", "q() -> $'.\n", "%'\n"),
    Trap("a.erl", 'q() -> $\\".\n', '%"\n'),
    Trap("a.erl", "q() -> 'a\\'b\"'.\n", '%"\n'),
    Trap("a.erl", 'q() -> """\n  "\n  """.\n', '%"\n'),
    Trap("a.ps1", '$q = "`""\n', '#"\n'),
    Trap("a.ps1", "$q = '`'\n", "#'\n"),
    Trap("a.ps1", '$q = @"\n"a\'\n"@\n', "#'\"\n"),
    Trap("a.ps1", "$q = @'\n'a\"\n'@\n", "#'\"\n"),
    Trap("a.ps1", '$q = "$("<#")"\n', "#>\n"),
    Trap("a.ps1", '$q = "a""b"\n', '#"\n'),
    Trap("a.ps1", '$q = "a`\n<#"\n', "#>\n"),
    Trap("a.vb", "' \"\n", "' \"\n"),
    Trap("a.vb", "#If Not False Then\n", "#End If\n"),
    Trap("a.vb", '#Const q = """"\n', "' \"\n"),
    Trap("a.vb", "#If False Then\n#Else\n", "#End If\n"),
    Trap("a.vhd", "constant q : character := '\"';\n", '--"\n'),
    Trap("a.vhd", "constant q : character := ''';\n", "--'\n"),
    Trap("a.vhd", 'signal \\a"b\\ : bit;\n', '--"\n'),
    Trap("a.adb", "Q : Character := '\"';\n", '--"\n'),
    Trap("a.adb", "Q : Character := ''';\n", "--'\n"),
    Trap("a.adb", 'Q : String := "\\";\n', '--"\n'),
    Trap("a.py", "x = f'{\"'\"}'\n", "#'\n"),
    Trap("a.py", "x = f'{1!r:\"}'\n", '#"\n'),
    Trap("a.py", "x = '\\\n' # '''\n", "#'''\n"),
    Trap("a.py", "x = rb'\\''\n", "#'\n"),
    Trap("a.py", 'x = "\\\\"\n', '#"\n'),
    Trap("a.py", "x = '''a''' '''b'''\n", "#'''\n"),
    Trap("a.py", "x = f'''{'''a'''}'''\n", "#'''\n"),
    Trap("a.py", "x = f'{{'\n", "#}'\n"),
    Trap("a.py", "x = '''''' ''\n", "#''\n"),
    Trap("a.py", "def q():\n  '''\\\\'''\n", "#'''\n"),
    Trap("a.c", "char q = '\\\"';\n", '//"\n'),
    Trap("a.c", 'char *q = "a\\\n\\"b";\n', '//"\n'),
    Trap("a.c", "// a \\\n/*\n", "//*/\n"),
    Trap("a.c", "// a ??/\n/*\n", "//*/\n"),
    Trap("a.c", '#define Q "/*"\n', "//*/\n"),
    Trap("a.c", "#include <x/*y>\n", "//*/\n"),
    Trap("a.c", "#error don't /*\n */\n", "//*/\n"),
    Trap("a.c", '#define Q(x) #x\nQ(\\")\n', '//"\n'),
    Trap("a.c", "int q = '/*';\n", "//*/\n"),
    Trap("a.c", "int q = u8'\"';\n", '//"\n'),
    Trap("a.cpp", 'auto q = R"a()")a";\n', '//"\n'),
    Trap("a.cpp", 'auto q = uR"(\\")";\n', '//"\n'),
    Trap("a.cpp", "int q = 0b1'0; //'\n"),
    Trap("a.cpp", "auto q = 1'000'000;\n", "//'\n"),
    Trap("a.cpp", 'auto q = R"\'(")\'";\n', '//"\n'),
    Trap("a.cpp", 'auto q = "a"_s; //"\n'),
    Trap("a.cpp", "#if true\n#else\n#endif\n"),
    Trap("a.cpp", "#if not 0\n", "#endif\n"),
    Trap("a.cpp", "auto q = '\\'';\n", "//'\n"),
    Trap("a.cpp", 'auto q = R"delim(\n)"\n)delim";\n', '//"\n'),
    Trap("a.java", "class A { char q = '\\''; }\n", "//'\n"),
    Trap("a.java", 'class A { String q = "\\\\"; }\n', '//"\n'),
    Trap("a.java", 'class A { String q = """\n  ""\\"\n  """; }\n', '//"""\n'),
    Trap("a.java", "class A { char q = '\\u0027'; }\n", "//'\n"),
    Trap("a.java", "// \\u000a/*\n", "//*/\n"),
    Trap("a.java", 'class A { String q = "\\u005c""; }\n', '//"\n'),
    Trap("a.java", "/** \\u002a\\u002f\n", "/* */\n"),
    Trap("a.java", 'class A { String q = """\n  \\""" /*\n  """; }\n', "//*/\n"),
    Trap("a.java", '@A("/*") class B {}\n', "//*/\n"),
    Trap("a.java", 'class A { String q = "//" + "/*"; }\n', "//*/\n"),
    Trap("a.cs", 'class A { string q = @""""; }\n', '//"\n'),
    Trap("a.cs", 'class A { string q = $"{{"; }\n', '//}"\n'),
    Trap("a.cs", "class A { char q = '\\''; }\n", "//'\n"),
    Trap("a.cs", "#if true\n#else\n#endif\n"),
    Trap("a.cs", "#if DEBUG && !DEBUG\n#else\n", "#endif\n"),
    Trap("a.cs", "#pragma warning disable '\n", "//'\n"),
    Trap("a.cs", '#warning "\n', '//"\n'),
    Trap("a.cs", '#line 1 "/*"\n', "//*/\n"),
    Trap("a.cs", 'class A { string q = $"{\'"\'}"; }\n', '//"\n'),
    Trap("a.cs", 'class A { string q = $$"""{{"/*"}}"""; }\n', "//*/\n"),
    Trap("a.js", "const q = 1 / 2 / 3; '/*'\n", "//*/\n"),
    Trap("a.js", "const q = /\\//; /[/]'/\n", "//'\n"),
    Trap("a.js", "<!-- /*\n", "//*/\n"),
    Trap("a.js", "const q = String.raw`\\`\n", "//`\n"),
    Trap("a.js", "const q = `\\``\n", "//`\n"),
    Trap("a.js", "const q = a => { }\n/[`]/.test('')\n", "//`\n"),
    Trap("a.js", "const q = {a: /[`]/}\n", "//`\n"),
    Trap("a.js", "const q = [/[`]/, /'/]\n", "//`'\n"),
    Trap("a.js", "const q = !/[`]/\n", "//`\n"),
    Trap("a.js", "const q = 1 ? /[`]/ : /'/\n", "//`'\n"),
    Trap("a.go", "package main\nvar q = '\\''\n", "//'\n"),
    Trap("a.go", 'package main\nvar q = "\\\\"\n', '//"\n'),
    Trap("a.go", "package main\nvar q = `'`\n", "//'\n"),
    Trap("a.go", "package main\nvar q = '\\\\'\n", "//'\n"),
    Trap("a.go", 'package main\nvar q = "`"\n', "//`\n"),
    Trap("a.go", 'package main\nvar q = "/*"\n', "//*/\n"),
    Trap("a.go", 'package main\nvar q = `\n"`\n', '//"\n'),
    Trap("a.go", "package main\nvar q = '\\x27'\n", "//'\n"),
    Trap("a.rs", "const Q: char = '\\'';\n", "//'\n"),
    Trap("a.rs", 'const Q: &str = "\\\n\\"";\n', '//"\n'),
    Trap("a.rs", '/** /* */ " */ struct S;\n', '//"\n'),
    Trap("a.rs", 'const Q: &[u8] = b"\\"";\n', '//"\n'),
    Trap("a.rs", 'const Q: &str = r##""# "##;\n', '//"\n'),
    Trap("a.rs", '#[doc = "/*"] struct S;\n', "//*/\n"),
    Trap("a.rs", "fn q() { 'a: loop { break 'a } }\n", "//'\n"),
    Trap("a.rs", "const Q: char = '\\u{22}';\n", "//'\n"),
    Trap("a.rs", 'const Q: &str = r#"/*"#;\n', "//*/\n"),
    Trap("a.rs", "struct R<'a>(&'a u8); const Q: char = '\"';\n", '//"\n'),
    Trap("a.kt", "val q = '\\''\n", "//'\n"),
    Trap("a.kt", 'val q = "\\""\n', '//"\n'),
    Trap("a.kt", 'val q = "$"\n', '//"\n'),
    Trap("a.kt", 'val q = """$"""\n', '//"""\n'),
    Trap("a.kt", 'val q = "${\'"\'}"\n', '//"\n'),
    Trap("a.kt", 'val q = "${""""""}"\n', '//"\n'),
    Trap("a.kt", 'val q = "\\\\"\n', '//"\n'),
    Trap("a.kt", "/** /* */ ' */\n", "//'\n"),
    Trap("a.kt", 'val q = "${ run { "}" } }"\n', '//"\n'),
    Trap("a.swift", 'let q = "\\\\"\n', '//"\n'),
    Trap("a.swift", 'let q = "\\("\\(")")")"\n', '//"\n'),
    Trap("a.swift", 'let q = #"\\#("/*")"#\n', "//*/\n"),
    Trap("a.swift", 'let q = """\n  " /*\n  """\n', "//*/\n"),
    Trap("a.swift", 'let q = /"/\n', '//"\n'),
    Trap("a.swift", 'let `q` = "\'"\n', "//'\n"),
    Trap("a.swift", "#if false\n#else\n", "#endif\n"),
    Trap("a.swift", 'let q = #/\n " \n/#\n', '//"\n'),
    Trap("a.swift", 'let q = "\\u{22}"\n', '//"\n'),
    Trap("a.swift", "prefix operator ^^\n"),
    Trap("a.scala", "val q = '\\''\n", "//'\n"),
    Trap("a.scala", "val q = 'sym\n", "//'\n"),
    Trap("a.scala", 'val q = s"${"a"}"\n', '//"\n'),
    Trap("a.scala", 'val q = "\\\\"\n', '//"\n'),
    Trap("a.scala", 'val q = raw"\\"\n', '//"\n'),
    Trap("a.scala", 'val q = s"""${""""""}"""\n', '//"""\n'),
    Trap("a.scala", 'val q = f"%%"\n', '//"\n'),
    Trap("a.scala", 'val q = s"$$"\n', '//"\n'),
    Trap("a.scala", "val q = '\\u0022'\n", '//"\n'),
    Trap("a.scala", "val q = <a b='\"'>'</a>\n", "//'\"\n"),
    Trap("a.hs", "q = '\\''\n", "--'\n"),
    Trap("a.hs", 'q = "\\""\n', '--"\n'),
    Trap("a.hs", 'q = "--" ++ "{-"\n', "-- -}\n"),
    Trap("a.hs", "(-->) a b = a; q = 1 --> 2 -- {-\n", "-- -}\n"),
    Trap("a.hs", "q = 'a' : '\"' : []\n", '--"\n'),
    Trap("a.hs", 'q = [r|"|]\n', '--"\n'),
    Trap("a.hs", "f'' x = x; q = f'' '\"'\n", '--"\n'),
    Trap("a.hs", "data A = A' | B'' deriving Show\nq = '\"'\n", '--"\n'),
    Trap("a.hs", 'q = "\\\\"\n', '--"\n'),
    Trap("a.hs", "a |-- b = a; q = 1 |-- '\"' \n", '--"\n'),
    Trap("a.lua", "local q = '\\''\n", "--'\n"),
    Trap("a.lua", "--[[ ]] local q = '\"'\n", '--"\n'),
    Trap("a.lua", "--[==[\n]=]\n]==]\n", "--]]\n"),
    Trap("a.lua", 'local q = [[\n]"]]\n', '--"\n'),
    Trap("a.lua", 'local q = "\\\n"\n', '--"\n'),
    Trap("a.lua", 'local q = t[ [["]] ]\n', '--"\n'),
    Trap("a.lua", "-- [[\n", "--]]\n"),
    Trap("a.lua", "local q = '\\x27'\n", "--'\n"),
    Trap("a.lua", "---[[ x\n", "--]]\n"),
    Trap("a.lua", "local q = a --[[ \" ]] .. 'b'\n", '--"\n'),
    Trap("a.rb", "q = 'a\\\\'\n", "#'\n"),
    Trap("a.rb", 'q = %Q{a {"} b}\n', '#"\n'),
    Trap("a.rb", 'q = /["]/\n', '#"\n'),
    Trap("a.rb", 'q = %r{"}\n', '#"\n'),
    Trap("a.rb", "q = :'a\"'\n", '#"\n'),
    Trap("a.rb", 'q = %i[a " b]\n', '#"\n'),
    Trap("a.rb", "q = `echo \\``\n", "#`\n"),
    Trap("a.rb", 'q = "#{\'"\'}"\n', '#"\n'),
    Trap("a.rb", 'q = x ? "a" : ?b\n', '#"\n'),
    Trap("a.rb", 'q = <<~A\n  #{"A"}\n  A\n', '#"\n'),
    Trap("a.perl", 'my $q = qr{"}x;\n', '#"\n'),
    Trap("a.perl", 'my $q = "a\\"";\n', '#"\n'),
    Trap("a.perl", "my $q = q['];\n", "#'\n"),
    Trap("a.perl", "my $q = qq|'|;\n", "#'\n"),
    Trap("a.perl", "$_ = 'a'; s/'/\"/; s{'}{\"};\n", "#'\"\n"),
    Trap("a.perl", "y/'/\"/ for my $q;\n", "#'\"\n"),
    Trap("a.perl", "my $q = m?'?;\n", "#'\n"),
    Trap("a.perl", "my $q = s(')(\");\n", "#'\"\n"),
    Trap("a.perl", "my $q = $#{$x};\n"),
    Trap("a.perl", "my $q = $h{'a'}{q}{\"}\"};\n", '#"}\n'),
    Trap("a.php", '<?php $q = "\\"";\n', '//"\n'),
    Trap("a.php", '<?php $q = <<<"A"\n\'\nA;\n', "//'\n"),
    Trap("a.php", "<?php # ?> ' <?php\n", "//'\n"),
    Trap("a.php", "<?php $q = '/*';\n", "//*/\n"),
    Trap("a.php", "<?php $q = <<<A\nA . '/*';\n", "//*/\n"),
    Trap("a.php", "<?php $q = [<<<A\n  '\n  A, 2];\n", "//'\n"),
    Trap("a.php", '<?php $q = "{$a->b(\'"\')}";\n', '//"\n'),
    Trap("a.php", "<?php #[A] /* ' */ $q = 1;\n", "//'\n"),
    Trap("a.php", "<?= '?>' ?><?php\n"),
    Trap("a.php", "<?php $q = `'`;\n", "//'\n"),
    Trap("a.sh", 'q="a\\""\n', '#"\n'),
    Trap("a.sh", 'q=$"a"\n', '#"\n'),
    Trap("a.sh", "q=${x:-\\'}\n", "#'\n"),
    Trap("a.sh", 'q=${x//\\"/}\n', '#"\n'),
    Trap("a.sh", "q=$(echo \\')\n", "#'\n"),
    Trap("a.sh", "q=`echo \\\\\\'`\n", "#'\n"),
    Trap("a.sh", "cat <<'E' | tr a b\n'\nE\n", "#'\n"),
    Trap("a.sh", "cat <<E; echo 'a'\n'\nE\n", "#'\n"),
    Trap("a.sh", "q=$(cat <<E\n'\nE\n)\n", "#'\n"),
    Trap("a.sh", "f() { echo $#; }\n", "#'\n"),
    Trap("a.R", "q <- '\\''\n", "#'\n"),
    Trap("a.R", 'q <- "\\""\n', '#"\n'),
    Trap("a.R", 'q <- r"--(" )-")--"\n', '#"\n'),
    Trap("a.R", "q <- 5 %/% 2; r <- '%'\n", "#%\n"),
    Trap("a.R", "`a#b` <- 1\n", "#`\n"),
    Trap("a.R", "q <- R'(')'\n", "#'\n"),
    Trap("a.R", 'q <- "#\'"\n', "#'\n"),
    Trap("a.R", "q <- \\(x) x; r <- '\\\\'\n", "#'\n"),
    Trap("a.R", "`a\\`'b` <- 1\n", "#'\n"),
    Trap("a.sql", "select '\\\\';\n", "-- '\n"),
    Trap("a.sql", "select `a'b`;\n", "-- '\n"),
    Trap("a.sql", "select [a'b] from t;\n", "-- '\n"),
    Trap("a.sql", 'select "a\'b" from t;\n', "-- '\n"),
    Trap("a.sql", "select E'\\'';\n", "-- '\n"),
    Trap("a.sql", "select $a$ ' $a$;\n", "-- '\n"),
    Trap("a.sql", "-- don't\nselect 1;\n", "-- '\n"),
    Trap("a.sql", "select q'!'!' from dual;\n", "-- '\n"),
    Trap("a.sql", "select '--', 1;\n", "-- '\n"),
    Trap("a.sql", "select '/*', 1;\n", "-- */\n"),
    Trap("a.ml", 'let q = "\\""\n', '(*"*)\n'),
    Trap("a.ml", "(* {|*)|} *)\n"),
    Trap("a.ml", "let q = '\\\\'\n", "(*'*)\n"),
    Trap("a.ml", 'let q = {%x|"|}\n', '(*"*)\n'),
    Trap("a.ml", "let f' x' = x'\nlet q = '\"'\n", '(*"*)\n'),
    Trap("a.ml", "(* ' *)\n", "(*'*)\n"),
    Trap("a.ml", '(* don\'t "*)" *)\n'),
    Trap("a.ml", 'let q = "\\\n  \\""\n', '(*"*)\n'),
    Trap("a.ml", "type 'a t = 'a list\nlet q = '\\''\n"),
    Trap("a.ml", "let ( *) a b = a\n", "(**)\n"),
    Trap("a.ex", 'q = ~r/"/\n', '#"\n'),
    Trap("a.ex", "q = 'a\"'\n", '#"\n'),
    Trap("a.ex", 'q = ?\\"\n', '#"\n'),
    Trap("a.ex", 'q = ~s|"|\n', '#"\n'),
    Trap("a.ex", 'q = ~w(a " b)a\n', '#"\n'),
    Trap("a.ex", 'q = :"a\\""\n', '#"\n'),
    Trap("a.ex", "q = ~S'\\'\n", "#'\n"),
    Trap("a.ex", 'q = """\n"\n"""\n', '#"\n'),
    Trap("a.ex", 'q = ~c"\'"\n', "#'\n"),
    Trap("a.ex", 'q = [a?: 1, "b": 2]\n', '#"\n'),
    Trap("a.erl", 'q() -> "\\"".\n', '%"\n'),
    Trap("a.erl", "q() -> $\\'.\n", "%'\n"),
    Trap("a.erl", "q() -> $%.\n"),
    Trap("a.erl", "q() -> '\\''.\n", "%'\n"),
    Trap("a.erl", 'q() -> ~"a\\"".\n', '%"\n'),
    Trap("a.erl", 'q() -> $\\\\.\nr() -> "\'".\n', "%'\n"),
    Trap("a.erl", 'q() -> ~S(").\n', '%"\n'),
    Trap("a.erl", "q() -> $\\s.\nr() -> '\"'.\n", '%"\n'),
    Trap("a.jl", "q = '\\''\n", "#'\n"),
    Trap("a.jl", 'q = `echo "`\n', '#"\n'),
    Trap("a.jl", 'q = r"\\""\n', '#"\n'),
    Trap("a.jl", "q = a'; r = b'\n", "#'\n"),
    Trap("a.jl", "q = :a; r = x[end]'\n", "#'\n"),
    Trap("a.jl", 'q = raw"\\""\n', '#"\n'),
    Trap("a.jl", 'q = """a"b"""\n', '#"\n'),
    Trap("a.jl", "q = f(x)'; r = '\"'\n", '#"\n'),
    Trap("a.jl", 'q = "\\$("\n', '#"\n'),
    Trap("a.jl", "q = '\\\\'\n", "#'\n"),
    Trap("a.ps1", "$q = 'a''b'\n", "#'\n"),
    Trap("a.ps1", '$q = "$(\'"\')"\n', '#"\n'),
    Trap("a.ps1", "$q = @'\n'@a\n'@\n", "#'\n"),
    Trap("a.ps1", '$q = "a`"b"\n', '#"\n'),
    Trap("a.ps1", "${q'} = 1\n", "#'\n"),
    Trap("a.ps1", "$q = 'a' # \"\n", '#"\n'),
    Trap("a.ps1", '$q = "@"\n', '#"\n'),
    Trap("a.ps1", "echo a`'b\n", "#'\n"),
    Trap("a.ps1", "<# #> $q = '\"'\n", '#"\n'),
    Trap("a.tcl", 'set q [list \\"]\n', '#"\n'),
    Trap("a.tcl", 'set q {a \\} "}\n', '#"\n'),
    Trap("a.tcl", 'set q "a\\"b"\n', '#"\n'),
    Trap("a.tcl", 'puts a;# "\n', '#"\n'),
    Trap("a.tcl", 'set q "[string map {\\" x} a]"\n', '#"\n'),
    Trap("a.tcl", "set q \\#\n"),
    Trap("a.tcl", 'set q ${a"b}\n', '#"\n'),
    Trap("a.tcl", 'set q $a("x)\n', '#"\n'),
    Trap("a.tcl", "set q {[}\n", "#]\n"),
    Trap("a.vb", 'Dim q = "a""b"\n', "' \"\n"),
    Trap("a.vb", 'Dim q = """"c\n', "' \"\n"),
    Trap("a.vb", 'REM "\n', "' \"\n"),
    Trap("a.vb", 'Dim q = $"{""""}"\n', "' \"\n"),
    Trap("a.vb", '#Region "\'"\n#End Region\n'),
    Trap("a.vb", 'Dim q = <a>"</a>\n', "' \"\n"),
    Trap("a.vb", "Dim [q] = 1 ' \"\n", "' \"\n"),
    Trap("a.vb", "#If 0 Then\n#Else\n", "#End If\n"),
    Trap("a.vb", "#If False Then\n#ElseIf True Then\n", "#End If\n"),
    Trap("a.vb", "Dim q = #1/1/2000#\n", "' #\n"),
    Trap("a.vhd", 'constant q : string := "a""b";\n', '--"\n'),
    Trap("a.vhd", 'constant q : bit_vector := x"0F";\n', '--"\n'),
    Trap("a.vhd", "signal q : bit := '1';\n", "--'\n"),
    Trap("a.vhd", '/* " */\n', '--"\n'),
    Trap("a.vhd", "constant q : integer := 16#FF#;\n", "--#\n"),
    Trap("a.vhd", "constant q : t := t'('\"');\n", '--"\n'),
    Trap("a.vhd", "signal \\a--b\\ : bit;\n"),
    Trap("a.vhd", "constant q : boolean := c'event and d = '\"';\n", '--"\n'),
    Trap("a.adb", 'Q : String := "a""b";\n', '--"\n'),
    Trap("a.adb", "Q : Character := Character'('\"');\n", '--"\n'),
    Trap("a.adb", "Q : Integer := X'First;\n", "--'\n"),
    Trap("a.adb", 'Q : String := "--";\n'),
    Trap("a.adb", "Q : Character := Character'Val (34); R : Character := '\"';\n", '--"\n'),
    Trap("a.adb", 'function "+" (A : T) return T;\n', '--"\n'),
    Trap("a.adb", "Q : Integer := 16#FF#;\n", "--#\n"),
    Trap("a.adb", "Q : T := T'(1, ''');\n", "--'\n"),
    Trap("a.prolog", 'q("a\\"b").\n', '% "\n'),
    Trap("a.prolog", "q('a\\'b').\n", "% '\n"),
    Trap("a.prolog", "q(0'\\\\).\n", "% '\n"),
    Trap("a.prolog", "q(0'').\nr('\"').\n", '% "\n'),
    Trap("a.prolog", "q(\"it''s\").\n", "% '\n"),
    Trap("a.prolog", "q('%').\n"),
    Trap("a.prolog", "q(0' ). r('\"').\n", '% "\n'),
    Trap("a.prolog", "q :- X = 'a\\\nb'.\n", "% '\n"),
    Trap("a.prolog", "q([0'\\', 0'\"]).\n", '% "\n'),
    Trap("a.prolog", 'q(0x27). r("\'").\n', "% '\n"),
    Trap("a.dart", 'var q = "\\"";\n', '//"\n'),
    Trap("a.dart", 'var q = "${"${\'"\'}"}";\n', '//"\n'),
    Trap("a.dart", 'var q = r"""\\""";\n', '//"""\n'),
    Trap("a.dart", 'var q = "$x\'";\n', "//'\n"),
    Trap("a.dart", 'var q = "\\$";\n', '//"\n'),
    Trap("a.dart", "var q = '''\n'\n''';\n", "//'\n"),
    Trap("a.dart", "var q = '\\\\';\n", "//'\n"),
    Trap("a.dart", "/** /* */ ' */\n", "//'\n"),
    Trap("a.dart", "var q = 'a' \"b'\" 'c';\n", "//'\n"),
    Trap("a.dart", "var q = '${{'a': \"}\"}}';\n", "//'\n"),
    Trap("a.ts", "const q = <T,>(x: T) => /[`]/\n", "//`\n"),
    Trap("a.ts", "let q = x! / 2; '/*'; 1/2\n", "//*/\n"),
    Trap("a.ts", "let q = (x as any) / 2; '/*'; 1/2\n", "//*/\n"),
    Trap("a.ts", "type Q = `${'`'}`\n", "//`\n"),
    Trap("a.ts", "@d(/[`]/) class A {}\n", "//`\n"),
    Trap("a.ts", "let q: Array<string> = [/[`]/.source]\n", "//`\n"),
    Trap("a.ts", "enum E { A = 4 / 2, B = '/*'.length }\n", "//*/\n"),
    Trap("a.ts", "function q(this: any) { return /[`]/ }\n", "//`\n"),
    Trap("a.ts", "declare const d: unique symbol; const q = /'/\n", "//'\n"),
)
