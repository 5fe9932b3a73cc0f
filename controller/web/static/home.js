/** What the computer is called on which the board's program runs. */
export const computer = document.title;

/** Where the board's program is: under another path behind a proxy, such as Home Assistant's ingress. */
export const at = (path) => new URL(`..${path}`, import.meta.url).href;

/** What the program says there, and with which `status`; `told` is null where it says no, or where not all of it came. */
export async function asked(path) {
  const answer = await fetch(at(path)).catch(() => null);
  return { status: answer?.status, told: answer?.ok ? await answer.json().catch(() => null) : null };
}

/** Has `act` done, once at a time: who asks meanwhile has it done once more, however many they are. */
export function singly(act) {
  let wanted = false;
  let busy = false;
  return async () => {
    wanted = true;
    if (busy) return;
    busy = true;
    try {
      for (; wanted; await act()) wanted = false;
    } finally {
      busy = false;
    }
  };
}

document.documentElement.style.setProperty("--board", document.querySelector('meta[name="theme-color"]').content);
