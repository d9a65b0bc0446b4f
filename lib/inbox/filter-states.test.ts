import { describe, expect, test } from 'vitest'
import {
  type FilterChange,
  isToDo,
  readFilterParams,
  switchToDo,
  toListQuery,
  toParamValues,
  WORK_FLAGS,
} from './filter-params'
import { chosenStates, findPreset, type StatusChoice, switchStatusChoice, toPeriod } from './filter-states'

const read = (search: string) => readFilterParams(new URLSearchParams(search))

describe('the one filter of status', () => {
  const states = (search: string) => chosenStates(read(search), toListQuery('asked-questions', read(search)))
  const after = (search: string, change: FilterChange) => {
    const params = Object.entries({ ...read(search), ...change })
    return params.flatMap(([name, value]) => toParamValues(value).map((text) => `${name}=${text}`)).join('&')
  }

  test.each([
    ['?waiting=1', []],
    ['?late=1&sort=waiting', ['late']],
    ['?assignee=me&status=new&status=in-progress&snoozed=0&earlier=0', []],
    ['?fresh=1&status=new&earlier=0&snoozed=0', ['fresh']],
    ['?waiting=0&followUp=0&answered=1', ['answered', 'notWaiting', 'noFollowUp']],
    ['?earlier=all&snoozed=all', ['withSnoozed', 'withEarlier']],
    ['?earlier=1&snoozed=1', ['snoozed', 'earlier']],
  ])('names everything that %j sets besides the switch', (search, names) => expect(states(search)).toEqual(names))

  test('every flag of an address has a name, or is the switch', () => {
    const all = WORK_FLAGS.flatMap((name) => (['1', '0', 'all'] as const).map((value) => ({ name, value })))
    const known = all.filter(({ name, value }) => read(`?${name}=${value}`)[name] === value)
    const unnamed = known.filter(({ name, value }) => states(`?${name}=${value}`).length !== 1)
    // The list leaves out by itself what is earlier or put aside.
    expect(unnamed.map(({ name, value }) => `${name}=${value}`)).toEqual(['waiting=1', 'snoozed=0', 'earlier=0'])
  })

  test('chooses one state at a time, and statuses together', () => {
    const choose = (search: string, choice: StatusChoice, isOn = true) =>
      after(search, switchStatusChoice(read(search), choice, isOn))
    expect(choose('?status=new', 'in-progress')).toBe('status=new&status=in-progress')
    expect(choose('?answered=1&fresh=1', 'followUp')).toBe('fresh=1&followUp=1')
    expect(choose('?waiting=1', 'late')).toBe('waiting=1&late=1')
    expect(choose('?late=1', 'late', false)).toBe('waiting=1')
    for (const choice of ['handled', 'snoozed', 'earlier', 'answered'] as const)
      expect(choose('?waiting=1', choice), choice).not.toContain('waiting')
  })

  test('the switch shows what waits, or everything, and never a list that must be empty', () => {
    const turn = (search: string, isOn: boolean) => after(search, switchToDo(read(search), isOn))
    const searches = ['', '?waiting=1', '?late=1', '?waiting=0']
    expect(searches.filter((search) => isToDo(read(search)))).toEqual(['?waiting=1', '?late=1'])
    const answered = '?assignee=me&status=new&status=handled&snoozed=1&answered=1'
    expect(turn(answered, true)).toBe('status=new&assignee=me&waiting=1')
    expect(turn('?late=1&mode=phone', false)).toBe('mode=phone')
  })
})

test('a preset is the last days up to today, and known again; a period of one’s own is none', () => {
  const today = '2026-01-05'
  const periods = (['today', '7-days', '30-days'] as const).map((preset) => toPeriod(preset, today))
  expect(periods.map(({ from }) => from)).toEqual(['2026-01-05', '2025-12-30', '2025-12-07'])
  expect(periods.map((period) => findPreset(period, today))).toEqual(['today', '7-days', '30-days'])
  expect([today, null].map((to) => findPreset({ from: to && '2025-12-30', to }, today))).toEqual([null, null])
})
