/** Where what is held belongs: a dialog, or a field that is on its way by itself. */
const PLACE = 'dialog[open], [data-typed-ahead]'
/** How long keys are held for what does not come. */
const LONGEST_MS = 5_000

type Hold = { users: number; end: () => void }
let current: Hold | null = null

/**
 * From when a dialog, or a reply, is asked for until its field has the focus, what is typed is meant for that field: it is held and then
 * given to it, and is neither lost nor read as a command. Answers what lets go, for a dialog that went or never came.
 */
export function holdTyping(): () => void {
  // It is up already, with the focus where it belongs.
  if (document.activeElement?.closest(PLACE)) return () => {}
  const own = (current ??= createHold())
  own.users += 1
  return () => {
    own.users -= 1
    if (own.users === 0) own.end()
  }
}

function createHold(): Hold {
  let text = ''
  const timer = setTimeout(end, LONGEST_MS)
  window.addEventListener('keydown', onKey, { capture: true })
  window.addEventListener('beforeinput', onInput, { capture: true })
  document.addEventListener('focusin', onFocus)

  function end() {
    clearTimeout(timer)
    window.removeEventListener('keydown', onKey, { capture: true })
    window.removeEventListener('beforeinput', onInput, { capture: true })
    document.removeEventListener('focusin', onFocus)
    if (current === hold) current = null
  }
  function onKey(event: KeyboardEvent) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') return end()
    const next = textAfter(text, event.key)
    // Arrows, Enter and Tab belong to the dialog once it is up, and before that to nobody.
    if (next === null && isDialogUp()) return
    text = next ?? text
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  /** What no key wrote, such as a letter from the emoji picker, comes after what was typed before it. */
  function onInput(event: InputEvent) {
    if (!event.cancelable || event.inputType !== 'insertText' || event.data === null) return
    text += event.data
    event.preventDefault()
  }
  function onFocus({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement) || target.closest(PLACE) === null) return
    if (target.matches('dialog')) return
    if (!isField(target)) return end()
    // Not within the very act of opening, where the field's own listeners may not be there yet.
    setTimeout(() => {
      end()
      // The one way to write as a person would, with the events that the field listens to.
      if (text !== '' && document.activeElement === target) document.execCommand('insertText', false, text)
    })
  }
  const hold: Hold = { users: 0, end }
  return hold
}

/** What is held after a key; null for a key that writes nothing. */
export function textAfter(text: string, key: string): string | null {
  if (key === 'Backspace') return [...text].slice(0, -1).join('')
  return [...key].length === 1 ? text + key : null
}

function isDialogUp(): boolean {
  return document.querySelector('dialog[open]') !== null
}

function isField(target: HTMLElement): boolean {
  return target.matches('textarea, input:is([type=text], [type=search], [type=email], [type=tel], :not([type]))')
}
