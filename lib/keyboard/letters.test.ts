import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allCommands, createKeyReader, type KeyPress } from './commands'
import { COMMANDS_ACTIVE, type Letters, lettersAfter, lettersAtOpening, type PressedAt, BURST_MS } from './letters'

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzåäöéü']
const SIGNS = [
  ...LETTERS,
  ...LETTERS.map((letter) => letter.toUpperCase()),
  ...'0123456789 .,-?!*/"@',
  'Enter',
  'Backspace',
]
const NEVER = Infinity

const press = (key: string, timeStamp: number, given: Partial<KeyPress> = {}): KeyPress => ({
  key,
  timeStamp,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: key !== key.toLowerCase() && key.length === 1,
  repeat: false,
  ...given,
})

type Opening = 'text' | 'outcome'

/** A keyboard before a list, where a reply takes a while to open; what was done by key, and what is in the text. */
function desk({ opensAt, opening }: { opensAt: number; opening: Opening }) {
  const read = createKeyReader()
  let letters: Letters = COMMANDS_ACTIVE
  let place: 'list' | 'typing' | 'outcome' = 'list'
  let text = ''
  const done: string[] = []
  const open = () => {
    text += letters.is === 'kept' && opening === 'text' ? letters.text : ''
    letters = opening === 'text' ? COMMANDS_ACTIVE : lettersAtOpening(letters)
    place = opening === 'text' ? 'typing' : 'outcome'
  }
  return {
    done,
    text: () => text,
    isOpen: () => place !== 'list',
    press(key: string, at: number, given?: Partial<KeyPress>) {
      if (at >= opensAt && letters.is === 'kept') open()
      const event = press(key, at, given)
      const { state, isTaken } = lettersAfter(letters, event, 'other')
      letters = state
      if (isTaken) return
      const id = read(event, place)
      if (id === 'reply') letters = { is: 'kept', text: '', lastAt: at, hasMoved: false }
      else if (id !== null) done.push(id)
      else if (place === 'typing') text += key === 'Enter' ? '\n' : key
    },
    refuse: (at: number) => void (letters = { is: 'ignored', isTyped: true, lastAt: at, hasMoved: false }),
  }
}

const opensWithin = fc.integer({ min: 0, max: 11_999 })
const DELAYS = [0, 1, 140, 399, 1_499, 1_501, 5_001, 7_000, 9_999, 10_001, 60_000, NEVER]

test('however late the answer opens, no letter of either language does anything before it does', () => {
  const wrong: string[] = []
  for (const opening of ['text', 'outcome'] as const) {
    for (const delay of DELAYS) {
      for (const sign of SIGNS) {
        for (const pause of [1, BURST_MS - 1, BURST_MS + 1, 4_999, 5_001, 20_000]) {
          const keyboard = desk({ opensAt: 1_000 + delay, opening })
          keyboard.press('r', 1_000)
          for (let nth = 1; nth <= 3; nth++) keyboard.press(sign, 1_000 + nth * pause)
          // The three ways to note a call are what its outcome is for, unless they are part of a text.
          const isDigit = /^[1-3]$/.test(sign) && opening === 'outcome'
          const isMeant = isDigit && keyboard.isOpen()
          if (keyboard.done.length > 0 && !isMeant) wrong.push(`${sign} ${pause} ${delay}: ${keyboard.done.join()}`)
        }
      }
    }
  }
  expect(wrong).toEqual([])
})

test('what is typed is in the answer as it was typed, wherever in it the answer opened', () => {
  const typed = fc.record({ sign: fc.constantFrom(...SIGNS.slice(0, -1)), pause: fc.integer({ min: 1, max: 900 }) })
  const line = fc.array(typed, { minLength: 1, maxLength: 30 })
  const check = fc.property(line, opensWithin, (presses, opensAt) => {
    const keyboard = desk({ opensAt, opening: 'text' })
    keyboard.press('r', 0)
    let at = 0
    for (const { sign, pause } of presses) keyboard.press(sign, (at += pause))
    keyboard.press('!', Math.max(at, opensAt) + 1)
    const text = presses.map(({ sign }) => sign).join('')
    expect(keyboard.text()).toBe(`${text.replaceAll('Enter', '\n')}!`)
    expect(keyboard.done).toEqual([])
  })
  fc.assert(check, { numRuns: 400 })
})

test('a text typed at the outcome of a call notes none, with whatever digits in it', () => {
  const pause = fc.integer({ min: 1, max: BURST_MS - 2 })
  const check = fc.property(opensWithin, fc.infiniteStream(pause), (opensAt, pauses) => {
    const keyboard = desk({ opensAt, opening: 'outcome' })
    keyboard.press('r', 0)
    let at = 0
    for (const sign of 'kl 13 den 2 e') keyboard.press(sign, (at += pauses.next().value))
    expect(keyboard.done).toEqual([])
    keyboard.press('2', Math.max(at, 12_000) + BURST_MS + 1)
    expect(keyboard.done, 'after a pause it is the key beside it').toEqual(['noAnswer'])
  })
  fc.assert(check, { numRuns: 400 })
})

test('Escape gives the keys back, also while nothing has come, and shortcuts are no text', () => {
  const keyboard = desk({ opensAt: NEVER, opening: 'text' })
  keyboard.press('r', 0)
  keyboard.press('e', 90_000)
  keyboard.press('k', 90_001, { ctrlKey: true })
  expect(keyboard.done).toEqual(['palette'])
  keyboard.press('Escape', 90_002)
  keyboard.press('e', 90_003)
  expect(keyboard.done).toEqual(['palette', 'handled'])
})

test('where there is nothing to answer, the rest of the run does nothing, and the next key is a command again', () => {
  for (const { key } of allCommands()) {
    if (key?.length !== 1) continue
    const keyboard = desk({ opensAt: NEVER, opening: 'text' })
    keyboard.refuse(0)
    for (let nth = 1; nth <= 20; nth++) keyboard.press(key, nth * (BURST_MS - 1))
    expect(keyboard.done).toEqual([])
    keyboard.press('e', 21 * BURST_MS + BURST_MS)
    expect(keyboard.done).toEqual(['handled'])
  }
})

const KEPT = { is: 'kept', text: '', lastAt: 0, hasMoved: false } as const

/** The keys, 20 ms after each other and the first 20 ms after the command, at what has the focus; which of them went through to it. */
function passed(start: Letters, keys: readonly string[], at: PressedAt): string[] {
  let letters = start
  return keys.filter((key, nth) => {
    const { state, isTaken } = lettersAfter(letters, press(key, (nth + 1) * 20), at)
    letters = state
    return !isTaken
  })
}

test('a line typed on the way to a dialog presses nothing in it, wherever in the line it opened', () => {
  for (const end of ['Enter', ' ']) {
    const line = [...'hej du', end]
    for (let typed = 0; typed < line.length; typed++) {
      let letters: Letters = KEPT
      for (const key of line.slice(0, typed)) letters = lettersAfter(letters, press(key, 1), 'other').state
      expect(passed(lettersAtOpening(letters, true), line.slice(typed), 'question')).toEqual([])
    }
  }
  expect(passed(lettersAtOpening(KEPT, true), [' '], 'question'), 'the command was the end of a word').toEqual([])
})

test('a dialog is answered at once by Enter, Escape and arrows, and the next key is a command again', () => {
  const opened = lettersAtOpening(KEPT, true)
  for (const key of ['Enter', 'Escape']) expect(passed(opened, [key, 'j'], 'question')).toEqual([key, 'j'])
  expect(passed(opened, ['ArrowDown', 'Shift', 'Enter'], 'question')).toEqual(['ArrowDown', 'Shift', 'Enter'])
  expect(passed(opened, ['z'], 'other'), 'after a press by mouse').toEqual(['z'])
})

test('what the person went to by Tab is pressed, until they type on', () => {
  for (const start of [KEPT, lettersAtOpening({ ...KEPT, text: 'Hej' })]) {
    for (const at of ['control', 'question'] as const) {
      for (const key of ['Enter', ' ']) {
        expect(passed(start, ['a', key, 'Tab', key], at)).toEqual(['Tab', key])
        expect(passed(start, ['Tab', 'a', key], at)).toEqual(['Tab'])
      }
    }
  }
})

test('a question that came up over a text is answered after a pause, however often it was tried before', () => {
  const typed: Letters = { ...KEPT, text: 'Hej' }
  for (const start of [typed, lettersAtOpening(typed, true)]) {
    for (const key of ['Enter', ' ']) {
      expect(lettersAfter(start, press(key, BURST_MS), 'question').isTaken).toBe(true)
      expect(lettersAfter(start, press(key, BURST_MS + 1), 'question').isTaken).toBe(false)
    }
  }
  const tried = lettersAfter(lettersAtOpening(typed, true), press('Enter', BURST_MS), 'question').state
  expect(lettersAfter(tried, press('Enter', BURST_MS + 1), 'question').isTaken).toBe(false)
})
