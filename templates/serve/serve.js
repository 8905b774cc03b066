"use strict";

// The page of `mosslite serve`: sends what is dropped on it, starts a comparison, and shows how far
// it is. Whatever is not a single archive is packed into a tar file here, so that names of files
// are members of an archive to the server, and never paths.
{
  const POLL_EVERY = 400;
  const ARCHIVES = /\.(zip|jar|tar|tgz|tar\.gz|tbz2?|tar\.bz2|txz|tar\.xz|7z|mosslite)$/i;
  const SUFFIXES = new RegExp(ARCHIVES.source, "i");
  const root = new URL(".", location.href);
  const byId = (id) => document.getElementById(id);
  const locale = document.documentElement.lang;
  let uploading = 0;
  let hasStopped = false;
  let state = { uploads: {}, run: { state: "none" } };

  // ---- A tar file, of which the browser reads the files only as it sends them ----

  const BLOCK = 512;
  const encoder = new TextEncoder();

  function field(block, offset, text) {
    block.set(encoder.encode(text), offset);
  }

  function header(name, size, type) {
    const block = new Uint8Array(BLOCK);
    field(block, 0, name);
    field(block, 100, "0000644\0" + "0000000\0" + "0000000\0");
    field(block, 124, `${size.toString(8).padStart(11, "0")}\0`);
    field(block, 136, "00000000000\0");
    field(block, 148, "        ");
    field(block, 156, type);
    field(block, 257, "ustar\u000000");
    const sum = block.reduce((total, byte) => total + byte, 0);
    field(block, 148, `${sum.toString(8).padStart(6, "0")}\0 `);
    return block;
  }

  function padding(size) {
    return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
  }

  // A record says how long it is, its own length among the rest.
  function record(path) {
    const rest = encoder.encode(` path=${path}\n`).length;
    let length = rest + String(rest).length;
    length = rest + String(length).length;
    return encoder.encode(`${length} path=${path}\n`);
  }

  function tar(files) {
    const parts = files.flatMap(({ path, file }) => {
      const extended = record(path);
      return [
        header("path", extended.length, "x"),
        extended,
        padding(extended.length),
        header("file", file.size, "0"),
        file,
        padding(file.size),
      ];
    });
    return new Blob([...parts, new Uint8Array(2 * BLOCK)]);
  }

  // ---- What was dropped or chosen ----

  function entriesOf(reader) {
    return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  }

  function fileOf(entry) {
    return new Promise((resolve, reject) => entry.file(resolve, reject));
  }

  async function filesIn(entry, before = "") {
    const path = before + entry.name;
    if (entry.isFile) {
      return [{ path, file: await fileOf(entry) }];
    }
    const files = [];
    const reader = entry.createReader();
    // A reader gives some at a time, and none when there are no more.
    for (let some = await entriesOf(reader); some.length; some = await entriesOf(reader)) {
      for (const each of some) {
        for (const file of await filesIn(each, `${path}/`)) {
          files.push(file);
        }
      }
    }
    return files;
  }

  async function dropped(transfer) {
    // All at once, as the list is empty as soon as anything is waited for.
    const items = [...transfer.items].filter((item) => item.kind === "file");
    const entries = items.map((item) => item.webkitGetAsEntry());
    const plain = items.map((item) => item.getAsFile());
    const lists = [];
    for (const [number, entry] of entries.entries()) {
      const file = plain[number];
      lists.push(entry ? await filesIn(entry) : [{ path: file.name, file }]);
    }
    return lists.flat();
  }

  function chosen(input) {
    return [...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  }

  // A folder alone is the batch; its name is that of the upload, not part of each path.
  function packed(files) {
    files.sort((one, other) => (one.path < other.path ? -1 : 1));
    const [first] = files;
    if (files.length === 1 && !first.path.includes("/") && ARCHIVES.test(first.path)) {
      return { name: first.path, body: first.file };
    }
    const top = first.path.slice(0, first.path.indexOf("/") + 1);
    const isFolder = top && files.every(({ path }) => path.startsWith(top));
    const below = files.map(({ path, file }) => ({
      path: isFolder ? path.slice(top.length) : path,
      file,
    }));
    const many = gettext("%(number)s files", { number: files.length });
    const name = files.length === 1 ? first.path : many;
    return { name: isFolder ? top.slice(0, -1) : name, body: tar(below) };
  }

  // ---- Talking to the server ----

  async function ask(path, options = {}) {
    const url = new URL(path, root);
    url.searchParams.set("locale", locale);
    const response = await fetch(url, options).catch(() => {
      throw new Error(gettext("mosslite does not answer: it may have been stopped"));
    });
    const content = await response.json();
    if (!response.ok) {
      throw new Error(content.error);
    }
    return content;
  }

  async function upload(section, gather) {
    const status = section.querySelector(".drop-status");
    showError("");
    uploading += 1;
    status.textContent = gettext("Uploading...");
    refresh();
    try {
      const files = await gather();
      if (!files.length) {
        throw new Error(gettext("nothing to upload: the folder holds no files"));
      }
      const { name, body } = packed(files);
      const path = `uploads/${section.dataset.role}?name=${encodeURIComponent(name)}`;
      const type = { "Content-Type": "application/octet-stream" };
      state = await ask(path, { method: "POST", headers: type, body });
      suggestTitle(section, name);
    } catch (error) {
      showError(error.message);
    }
    uploading -= 1;
    status.textContent = "";
    refresh();
  }

  function suggestTitle(section, name) {
    const title = byId("title");
    if (section.dataset.role === "submissions" && (!title.value || title.dataset.suggested)) {
      title.value = name.replace(SUFFIXES, "").slice(0, title.maxLength);
      title.dataset.suggested = "true";
    }
  }

  async function command(path, options) {
    showError("");
    try {
      state = await ask(path, { method: "POST", ...options });
    } catch (error) {
      showError(error.message);
    }
    refresh();
  }

  function start() {
    const { title, language } = byId("job").elements;
    const boxes = document.querySelectorAll("input[name='archive']:checked");
    const archives = [...boxes].map((box) => Number(box.value));
    const body = JSON.stringify({ title: title.value, language: language.value, archives });
    return command("run", { headers: { "Content-Type": "application/json" }, body });
  }

  // ---- Showing what there is ----

  function showError(message) {
    byId("error").hidden = !message;
    byId("error").textContent = message && message[0].toUpperCase() + message.slice(1);
  }

  function inUnits(size) {
    const units = ["B", "KB", "MB", "GB"];
    let unit = 0;
    let amount = size;
    for (; amount >= 1000 && unit < units.length - 1; unit += 1) {
      amount /= 1000;
    }
    return `${amount < 10 && unit ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
  }

  function showUpload(section) {
    const kept = state.uploads[section.dataset.role];
    section.classList.toggle("is-kept", Boolean(kept));
    section.querySelector(".drop-kept").hidden = !kept;
    section.querySelector(".drop-name").textContent = kept
      ? `${kept.name || gettext("upload")} (${inUnits(kept.size)})`
      : "";
  }

  function showRun(run) {
    const isRunning = run.state === "running";
    byId("run").hidden = !isRunning;
    if (isRunning) {
      byId("progress").value = run.share;
      const counts = { stage: run.stage, done: run.done, total: run.total };
      const step = gettext("%(stage)s: %(done)s of %(total)s", counts);
      const words = run.total > 1 ? step : run.stage;
      byId("stage").textContent = `${words[0].toUpperCase()}${words.slice(1)}`;
    }
    if (run.state === "failed") {
      showError(run.error);
    }
  }

  function paragraph(text) {
    const made = document.createElement("p");
    made.textContent = text;
    return made;
  }

  function showResult() {
    const wasHidden = byId("result").hidden;
    byId("result").hidden = !state.report;
    if (state.report && wasHidden) {
      byId("lines").replaceChildren();
      for (const line of state.run.lines) {
        byId("lines").append(paragraph(line));
      }
      byId("open").href = state.report;
      byId("review").textContent = state.review;
      byId("result-heading").focus();
      byId("result").scrollIntoView({ block: "nearest" }); // with the link to the report
    }
  }

  function refresh() {
    if (hasStopped) {
      return; // an answer that was on its way when the server was stopped
    }
    const isRunning = state.run.state === "running";
    document.querySelectorAll(".drop").forEach(showUpload);
    for (const element of document.querySelectorAll("#job button, #job input, #job select")) {
      element.disabled = isRunning || uploading > 0;
    }
    byId("start").disabled ||= !state.uploads.submissions;
    showRun(state.run);
    showResult();
    if (isRunning) {
      setTimeout(poll, POLL_EVERY);
    }
  }

  async function poll() {
    try {
      state = await ask("state");
    } catch (error) {
      showError(error.message);
      state.run = { state: "none" };
    }
    refresh();
  }

  // ---- Start ----

  function setUpChoice(section, className, isFolder) {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = !isFolder;
    input.webkitdirectory = isFolder;
    input.hidden = true;
    input.setAttribute("aria-label", `${section.dataset.role} ${isFolder ? "folder" : "file"}`);
    input.addEventListener("change", async () => {
      if (input.files.length) {
        await upload(section, () => Promise.resolve(chosen(input)));
      }
      input.value = "";
    });
    section.append(input);
    section.querySelector(className).addEventListener("click", () => input.click());
  }

  function setUp(section) {
    setUpChoice(section, ".choose-file", false);
    setUpChoice(section, ".choose-folder", true);
    section.addEventListener("dragover", () => section.classList.add("is-over"));
    section.addEventListener("dragleave", () => section.classList.remove("is-over"));
    section.addEventListener("drop", (event) => {
      section.classList.remove("is-over");
      if (state.run.state !== "running" && !uploading) {
        void upload(section, () => dropped(event.dataTransfer));
      }
    });
    section.querySelector(".drop-remove").addEventListener("click", () => {
      void command(`uploads/${section.dataset.role}`, { method: "DELETE" });
    });
  }

  document.querySelectorAll(".drop").forEach(setUp);
  for (const kind of ["dragover", "drop"]) {
    // Else the browser leaves the page for a file that is dropped beside a place for it.
    document.addEventListener(kind, (event) => event.preventDefault());
  }
  byId("title").addEventListener("input", () => delete byId("title").dataset.suggested);
  byId("job").addEventListener("submit", (event) => {
    event.preventDefault();
    void start();
  });
  byId("cancel").addEventListener("click", () => void command("cancel"));
  byId("quit").addEventListener("click", async () => {
    try {
      await ask("quit", { method: "POST" });
      hasStopped = true;
      document.body.replaceChildren(paragraph(gettext("mosslite has stopped. You can close this page.")));
    } catch (error) {
      showError(error.message);
    }
  });
  void poll();
}
