import { beforeEach, describe, expect, it } from 'vitest'
import { allCommands, createKeyReader, type KeyPress, shownKeys } from './commands'

let read: ReturnType<typeof createKeyReader>
beforeEach(() => {
  read = createKeyReader()
})

const press = (key: string, given: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  timeStamp: 0,
  ...given,
})

describe('a key is read by the sign it makes', () => {
  it('whatever keyboard made it: on a Swedish one a slash and a question mark take Shift', () => {
    expect(read(press('/', { shiftKey: true }), 'page')).toBe('search')
    expect(read(press('/'), 'page')).toBe('search')
    expect(read(press('?', { shiftKey: true }), 'page')).toBe('help')
  })

  it('and letters by whether Shift is held, not by caps lock', () => {
    expect(read(press('X'), 'page')).toBe('mark')
    expect(read(press('X', { shiftKey: true }), 'page')).toBe('markRange')
    expect(read(press('E', { shiftKey: true }), 'page')).toBe('handleAll')
    expect(read(press('P', { shiftKey: true }), 'page')).toBeNull()
  })
})

describe('keys that are meant for something else are let through', () => {
  it('while a person types, all but those with Ctrl or Cmd', () => {
    expect(read(press('e'), 'typing')).toBeNull()
    expect(read(press('Escape'), 'typing')).toBeNull()
    expect(read(press('k', { ctrlKey: true }), 'typing')).toBe('palette')
    expect(read(press('k', { metaKey: true }), 'typing')).toBe('palette')
  })

  it('with a modifier that is not ours', () => {
    expect(read(press('e', { ctrlKey: true }), 'page')).toBeNull()
    expect(read(press('j', { altKey: true }), 'page')).toBeNull()
    expect(read(press('k', { ctrlKey: true, shiftKey: true }), 'page')).toBeNull()
  })

  it('a space outside the list, arrows and Enter on what can be pressed', () => {
    expect(read(press('ArrowDown'), 'control')).toBeNull()
    expect(read(press('ArrowDown'), 'list')).toBe('next')
    expect(read(press('ArrowUp'), 'page'), 'where nothing has the focus').toBe('previous')
    expect(read(press('ArrowDown'), 'region'), 'where it scrolls').toBeNull()
    expect(read(press('Enter'), 'region')).toBe('open')
    expect(read(press(' '), 'page')).toBeNull()
    expect(read(press(' '), 'control')).toBeNull()
    expect(read(press(' '), 'list')).toBe('mark')
    expect(read(press('Enter'), 'control')).toBeNull()
    expect(read(press('Enter'), 'page')).toBe('open')
  })
})

describe('two keys after each other', () => {
  it('are one command, if the second comes soon', () => {
    expect(read(press('g', { timeStamp: 1 }), 'page')).toBeNull()
    expect(read(press('d', { timeStamp: 900 }), 'page')).toBe('goDeclarations')
    expect(read(press('g', { timeStamp: 2000 }), 'page')).toBeNull()
    expect(read(press('d', { timeStamp: 3600 }), 'page')).toBeNull()
  })

  it('leave the second its own meaning when together they have none', () => {
    read(press('g'), 'page')
    expect(read(press('j'), 'page')).toBe('next')
    expect(read(press('q'), 'page')).toBeNull()
  })
})

describe('a key held down', () => {
  it('walks on, but decides only once', () => {
    expect(read(press('j', { repeat: true }), 'page')).toBe('next')
    expect(read(press('e', { repeat: true }), 'page')).toBeNull()
  })
})

describe('the commands', () => {
  it('share no key, so that each does what the help says', () => {
    const keys = allCommands().flatMap((command) => [...command.keys, ...(command.listKeys ?? [])])
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('show their keys one by one', () => {
    expect(shownKeys('goQuestions')).toEqual(['g', 'q'])
    expect(shownKeys('markRange')).toEqual(['Shift', 'x'])
    expect(shownKeys('open')).toEqual(['Enter'])
    expect(shownKeys('dismissed')).toEqual([])
  })
})
