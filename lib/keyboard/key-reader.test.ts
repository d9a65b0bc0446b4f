import { beforeEach, expect, test } from 'vitest'
import { COMMANDS, listShownKeys } from './commands'
import { isTypedKey, type KeyPress } from './key-press'
import { createKeyReader, isCommandKey } from './key-reader'

const usual = { isMac: false, areCharactersCommands: () => true }
let reader = createKeyReader(usual)
beforeEach(() => {
  reader = createKeyReader(usual)
})
const read = (...pressed: Parameters<typeof reader.read>) => reader.read(...pressed)

const unheld = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, timeStamp: 0 }
const press = (key: string, given: Partial<KeyPress> = {}): KeyPress => ({ key, ...unheld, ...given })
const [shift, ctrl, meta, alt] = [{ shiftKey: true }, { ctrlKey: true }, { metaKey: true }, { altKey: true }]
type Place = Parameters<typeof reader.read>[1]

test.each<[string, Partial<KeyPress>, Place, string | null]>([
  ['/', shift, 'page', 'search'],
  ['X', {}, 'page', 'mark'],
  ['X', shift, 'page', 'markRange'],
  ['P', shift, 'page', null],
  ['e', {}, 'typing', null],
  ['Escape', {}, 'typing', null],
  ['k', ctrl, 'typing', 'palette'],
  ['k', meta, 'typing', 'palette'],
  ['e', ctrl, 'page', null],
  ['j', alt, 'page', null],
  ['k', { ...ctrl, ...shift }, 'page', null],
  ['ArrowDown', {}, 'control', null],
  ['ArrowDown', {}, 'list', 'next'],
  ['ArrowDown', {}, 'page', 'next'],
  ['ArrowDown', {}, 'region', null],
  [' ', {}, 'page', null],
  [' ', {}, 'list', 'mark'],
  ['Enter', {}, 'region', 'open'],
  ['Enter', {}, 'control', null],
  ['Enter', {}, 'page', 'open'],
  ['j', { repeat: true }, 'page', 'next'],
  ['e', { repeat: true }, 'page', null],
])('the key %j with %j at %s is %s', (key, given, place, id) => expect(read(press(key, given), place)).toBe(id))

test('what would do something is a command key; Escape is none, as it leads out of what has the keys', () => {
  const does = (key: string, given?: Partial<KeyPress>) => isCommandKey(press(key, given))
  expect([does('e'), does('k', ctrl)]).toEqual([true, true])
  expect([does('q'), does('e', { repeat: true }), does('Escape')]).toEqual([false, false, false])
})

/** Presses keys one after the other; each is a command or null. */
const type = (keys: string, { place = 'page' as Place, from = 0, stepMs = 120 } = {}) =>
  [...keys].map((key, index) => read(press(key, { timeStamp: from + index * stepMs }), place))
const nothing = (keys: string) => [...keys].map(() => null)

test('two keys after each other are one command, if the second comes soon, or else each has its own meaning', () => {
  expect(type('gd', { stepMs: 900 })).toEqual([null, 'goDeclarations'])
  expect(type('gd', { from: 2_000, stepMs: 1_600 })).toEqual([null, null])
  expect(type('gjq', { from: 6_000, stepMs: 0 })).toEqual([null, 'next', null])
})

test('letters in words are no commands after a letter that is none, until a pause or another key', () => {
  const words = 'Det finns ej en erfaren plats'
  expect(type(words)).toEqual(nothing(words))
  expect(type('ef', { from: 5_000, stepMs: 1_000 })).toEqual(['handled', null])
  expect(read(press('Escape', { timeStamp: 6_050 }), 'page')).toBe('back')
  expect(type('jep', { place: 'list', from: 6_100, stepMs: 60 })).toEqual(['next', 'handled', 'inProgress'])
})

test('letters in words are no commands when they began in a menu that has closed', () => {
  expect(type('rNej', { place: 'choosing' })).toEqual(nothing('rNej'))
  expect(type(' det', { from: 480 })).toEqual(nothing(' det'))
})

test('letters in words are no commands after the outcome of a call, but a second outcome is one', () => {
  expect(type('24', { place: 'outcome' })).toEqual(['noAnswer', 'callNextDay'])
  expect(type('ej hemma', { place: 'list', from: 1_000 })).toEqual(nothing('ej hemma'))
  expect(read(press('Escape', { timeStamp: 2_000 }), 'choosing')).toBe(null)
  expect(type('e', { place: 'list', from: 2_100 })).toEqual(['handled'])
})

test('letters in words are no commands while something opens, nor is the rest of the text once it is open', () => {
  expect(type('r')).toEqual(['reply'])
  expect(read(press('Shift', { shiftKey: true, timeStamp: 50 }), 'opening')).toBeNull()
  expect(type('Nej 1', { place: 'opening', from: 100 })).toEqual(nothing('Nej 1'))
  expect(type('1ej', { place: 'outcome', from: 1_500 })).toEqual(nothing('1ej'))
  expect(type('1', { place: 'outcome', from: 4_000 })).toEqual(['talked'])
})

test('letters in words are no commands where no reply is possible, but the outcome of a call keeps its digits', () => {
  expect(type('r')).toEqual(['reply'])
  expect(type('ej', { from: 100 })).toEqual(nothing('ej'))
  expect(type('en', { from: 4_000, stepMs: 1_000 })).toEqual(['handled', 'note'])
  expect(type('x', { place: 'typing', from: 5_100 })).toEqual([null])
  expect(read(press('Escape', { timeStamp: 5_200 }), 'choosing')).toBeNull()
  expect(type('er', { from: 5_300 })).toEqual(['handled', 'reply'])
  expect(type('1', { place: 'outcome', from: 5_500 })).toEqual(['talked'])
})

test.each([
  ['e', 'page', ' ', 100, true],
  ['e', 'page', 'Enter', 100, false],
  ['n', 'opening', 'Enter', 1_400, true],
  ['n', 'opening', ' ', 1_600, false],
] as const)('%s at %s, then %j after %i ms: it belongs to words, %j', (letter, place, key, timeStamp, isAmid) => {
  read(press(letter), place)
  expect(reader.isAmidWords(press(key, { timeStamp }))).toBe(isAmid)
})

const places = ['page', 'list', 'region', 'control', 'outcome'] as const
test.each(places)('with characters switched off dictated words do nothing at %s, all other keys go on', (place) => {
  reader = createKeyReader({ ...usual, areCharactersCommands: () => false })
  const words = 'jkrezxcaphu 123 /?* ett pass, g t och x 1'
  expect(type(words, { place, stepMs: 5 })).toEqual(nothing(words))
  expect(read(press('X', { ...shift, timeStamp: 5_000 }), place)).toBeNull()
  const found = ['Enter', 'Escape', 'ArrowDown', 'ArrowUp', ' '].map((key) => {
    return read(press(key, { timeStamp: 9_000 }), 'list')
  })
  expect(found).toEqual(['open', 'back', 'next', 'previous', 'mark'])
})

test('while a text is written on a Mac, Control edits it, and Command commands', () => {
  const { read: onMac } = createKeyReader({ ...usual, isMac: true })
  expect([ctrl, meta].map((held) => onMac(press('k', held), 'typing'))).toEqual([null, 'palette'])
  expect(onMac(press('k', ctrl), 'page')).toBe('palette')
})

test('what autofill and input methods send is no press of a key', () => {
  const composed = [{ isComposing: true }, { keyCode: 229 }].map((given) => ({ key: 'e', ...given }))
  expect([{}, { key: undefined }, ...composed].map(isTypedKey)).toEqual([false, false, false, false])
  expect(isTypedKey({ key: 'e', isComposing: false, keyCode: 69 })).toBe(true)
})

test('the commands share no key, and the help shows their keys one by one, only those that do something', () => {
  const keys = COMMANDS.flatMap(({ key, listKey }) => [key ?? [], listKey ?? []].flat())
  expect(new Set(keys).size).toBe(keys.length)
  const ids = ['next', 'handled', 'goQuestions', 'markRange', 'palette'] as const
  expect(ids.map((id) => listShownKeys(id).join())).toEqual(['j', 'e', 'g,q', 'Shift,x', 'Mod,k'])
  expect(ids.map((id) => listShownKeys(id, false).join())).toEqual(['ArrowDown', '', '', '', 'Mod,k'])
})
