"""Import statements of many languages, each beside a program that stays the same without them."""

from __future__ import annotations

IMPORTS = {
    "agda": ("import A.B\nopen import C\nopen import D using (e; f)\n", "g : A -> B\ng x = x"),
    "carbon": ("package A api;\nimport B;\n", "fn F(x: i32) -> i32 { return x; }"),
    "cython": ("cimport a as b\nfrom c cimport d\nimport e\n", "x = f(1)\nprint(x)"),
    "fan": ("using a\nusing b::C\n", "class D { Int f() { return 1 } }"),
    "golo": ("import a.B\n", "function f = |x| { return x }"),
    "gosu": ("package a.b\nuses c.D\n", "function f() : int { return 1 }"),
    "idris": ("import Data.List\nimport public A.B\n", "f : Nat\nf = g 1 + 2"),
    "jsx": ("import a, { b as c } from 'd';\nimport e, * as f from 'g'\n",
            "const h = () => <p class={i}>{j + 1}</p>;"),
    "lean4": ("import A.B\nopen C D\n", "def f (x : Nat) : Nat := x + 1"),
    "mojo": ("from a.b import (\n    c,\n    d,\n)\nimport e\n", "fn f(x: Int) -> Int: return x"),
    "openscad": ("include <a.scad>\nuse <b/c.scad>\n", "module d(x) { cube(x); }"),
    "protobuf": ('package a.b;\nimport "c.proto";\nimport public "d.proto";\n',
                 "message E { int32 f = 1; }"),
    "tsx": ("import type { A } from './a';\nimport {\n  b,\n  type C,\n} from \"d\";\n"
            "import e = require('e');\nexport * as f from 'f';\nexport { g } from 'g';\n",
            "function H(i: A) { return <p>{i.j}</p>; }"),
    "typescript": ("import a from './b.json' with { type: 'json' };\n",
                   "function f(x: number): number { return x + 1; }"),
    "whiley": ("package a\nimport b.C\n", "function f(int x) -> int:\n    return x"),
    "xtend": ("package a.b\nimport static extension c.D.*\nimport e.F\n",
              "class A { def f() { 1 + g } }"),
    "ada": ("with Ada.Text_IO, Lists;\nuse Ada.Text_IO;\nuse type Lists.Item;\n",
            "procedure P is begin Put (1); end P;"),
    "c": ('#include <a.h>\n#include "b.h"\n', "int main(void) { return 1; }"),
    "clojure": ("(ns ^{:doc \"e\"} a.b (:require [c.d :as d :refer [f]] [e :only (f g)] h)"
                " (:import (java.util Date) [java.io File]) (:gen-class))\n"
                "(require '[a.b :as b])\n"
                "(use 'c.d)\n(import '(java.util Date))\n", "(defn f [x] (+ x 1))"),
    "coffee-script": ("fs = require 'fs'\n{a, b} = require './c'\nimport x from 'y'\n",
                      "f = (x) -> x + 1"),
    "cpp": ("#include <a>\nusing namespace std;\nusing std::vector;\nimport std;\n",
            "int main() { return 1; }"),
    "common-lisp": ("(defpackage :a (:use :cl) (:export #:f #:g))\n(in-package :a)\n"
                    "(require :asdf)\n(use-package '(:b :c))\n(import 'd:e)\n(load \"a.lisp\")\n",
                    "(defun f (x) (+ x 1))"),
    "crystal": ('require "json"\nrequire "./a/*"\n', "def f(x)\n  x + 1\nend"),
    "csharp": ("using System;\nusing static System.Math;\nglobal using A.B;\n",
               "class A { int F() { return 1; } }"),
    "d": ("module a.b;\nimport std.stdio, std.conv : to;\n", "int f(int x) { return x; }"),
    "dart": ("import 'dart:io';\nimport 'a.dart' as a show b;\nexport 'c.dart';\npart 'd.dart';\n",
             "int f(int x) { return x; }"),
    "delphi": ("uses SysUtils, Classes in 'c.pas';\n", "begin f(1); end."),
    "elixir": ("import List, only: [first: 1]\nalias A.B\nrequire Logger\nuse GenServer\n",
               "x = f(1)\ny = g(x)"),
    "elm": ("import Html exposing (text)\nimport A.B as B\n", "f x = x + 1"),
    "emacs-lisp": ("(require 'cl-lib)\n(require 'b nil t)\n(provide 'a)\n",
                   "(defun f (x) (+ x 1))"),
    "erlang": ('-include("a.hrl").\n-include_lib("b/c.hrl").\n-import(lists, [map/2]).\n',
               "f(X) -> X + 1."),
    "fortran": ("use iso_c_binding\nuse a, only: b, c\ninclude 'd.inc'\n", "x = f(1)\ny = x"),
    "fsharp": ("open System\nopen type A.B\n", "let f x = x + 1"),
    "go": ('package main\n\nimport "fmt"\nimport (\n\t"os"\n\ta "b/c"\n)\n',
           "func f(x int) int { return x }"),
    "groovy": ("package a.b\nimport a.B\nimport static c.D.*\n", "def f(x) { return x }"),
    "haskell": ("import Data.List\nimport qualified Data.Map as M\nimport A (b, c)\n",
                "f x = x + 1"),
    "haxe": ("package a;\nimport a.B;\nusing c.D;\n", "class A { function f() return 1; }"),
    "java": ("package a.b;\nimport a.B;\nimport static c.D.*;\n"
             "", "class A { int f() { return 1; } }"),
    "javascript": ("import a from 'a';\nimport { b, c as d } from \"b\";\nimport 'e';\n"
                   "const f = require('f');\nvar { g, h } = require('g').i;\n"
                   "import * as j from 'j'\n",
                   "function k(x) { return x + 1; }"),
    "julia": ("using A, B\nimport C: d, e\nusing F.G\ninclude(\"a.jl\")\n", "f(x) = x + 1"),
    "kotlin": ("package a.b\nimport a.B\nimport c.D as E\nimport f.*\n", "fun f(x: Int) = x"),
    "lua": ("local a = require('a')\nlocal b = require \"b.c\"\nrequire 'd'\n",
            "function f(x) return x end"),
    "modula2": ("FROM InOut IMPORT WriteInt, WriteLn;\nIMPORT A, B;\n", "BEGIN f(1) END A."),
    "nim": ("import strutils, os\nfrom a import b\ninclude c\n", "proc f(x: int): int = x"),
    "objective-c": ("#import <A/A.h>\n@import UIKit;\n", "int main() { return 1; }"),
    "ocaml": ("open List\nopen A.B\n", "let f x = x + 1"),
    "octave": ("import a.b.*\npkg load statistics\n", "x = f(1);\ny = x;"),
    "perl": ("use strict;\nuse List::Util qw(sum max);\nuse 5.010;\nrequire POSIX;\n"
             "require 'a.pl';\nno warnings;\npackage A::B;\n", "my $x = f(1);\nprint $x;"),
    "php": ("<?php\nnamespace A;\nuse B\\C;\nuse function D\\e;\nrequire 'f.php';\n"
            "include_once('g.php');\nrequire_once __DIR__ . '/h.php';\n", "<?php\n"
            "$x = f(1); echo $x;"),
    "powershell": ("Import-Module A\nusing module B\nusing namespace System.IO\n. ./c.ps1\n",
                   "$x = f 1\n$y = $x"),
    "prolog": (":- use_module(library(lists)).\n:- ensure_loaded(a).\n:- module(b, [c/1]).\n"
               ":- [d, e].\n:- consult('f').\n", "f(X) :- g(X)."),
    "purescript": ("import Prelude\nimport Data.Maybe (Maybe(..))\n", "f x = x + 1"),
    "python": ("import a.b as c, d\nfrom e import f, g as h\nfrom . import i\n", "x = f(1)\n"
               "print(x)"),
    "racket": ("#lang racket\n(require racket/list \"a.rkt\")\n(provide f (struct-out g))\n"
               "(require (only-in \"x.rkt\" f [g h]) (prefix-in a: (for-syntax racket/base)))\n",
               "(define (f x) (+ x 1))"),
    "raku": ("use v6;\nuse A::B;\nneed C;\n", "my $x = f(1);\nsay $x;"),
    "ruby": ("require 'json'\nrequire_relative \"a/b\"\nload 'c.rb'\nrequire('d')\n",
             "def f(x)\n  x + 1\nend"),
    "rust": ("use std::io;\nuse a::{b, c::d};\nextern crate e;\nmod f;\npub use g::h;\n",
             "fn f(x: i32) -> i32 { x }"),
    "scala": ("package a.b\nimport c.d\nimport e.{F, G => H}\nimport i._\n",
              "def f(x: Int) = x + 1"),
    "scheme": ("(import (scheme base) (scheme write))\n(load \"a.scm\")\n"
               "", "(define (f x) (+ x 1))"),
    "sml": ("open List\nuse \"a.sml\";\n", "fun f x = x + 1"),
    "solidity": ('pragma solidity ^0.8.0;\nimport "./A.sol";\nimport {B as C} from "b.sol";\n'
                 'import * as D from "d.sol";\n', "contract A { function f() public { g(1); } }"),
    "splus": ("library(dplyr)\nrequire(a)\nlibrary(\"b\")\nsource('c.R')\n"
              "suppressPackageStartupMessages(library(d))\n", "f <- function(x) x + 1"),
    "swift": ("import Foundation\nimport struct A.B\n@testable import C\n",
              "func f(x: Int) -> Int { return x }"),
    "tcl": ("package require Tk\npackage require a 1.0\nsource b.tcl\nnamespace import c::*\n",
            "proc f {x} { return $x }"),
    "vala": ("using GLib;\nusing Gtk;\n", "int f(int x) { return x; }"),
    "vb.net": ("Imports System\nImports A = B.C\nOption Strict On\n",
               "Module M\n Sub Main()\n F(1)\n End Sub\nEnd Module"),
    "verilog": ('`include "a.vh"\n`timescale 1ns/1ps\nimport p::*;\n'
                '', "module m(input a); endmodule"),
    "vhdl": ("library ieee;\nuse ieee.std_logic_1164.all, work.p.all;\n",
             "entity e is port (a : in bit); end e;"),
    "zig": ('const std = @import("std");\nconst a = @import("a.zig").b;\n',
            "fn f(x: i32) i32 { return x; }"),
}  # fmt: skip
