import { expect, it } from 'vitest'
import { ApiError } from '@/lib/api/send'
import { classifyMailFailure, mayHaveArrived } from './mail-failure'
import { findRefusal } from './reply-check'
import { appendQuote, beginReply } from './reply-text'

const context = { language: 'sv', firstName: 'Åsa', school: 'Norra', sender: 'Sara Lind', isQuestion: true } as const
const text = 'Hej Åsa!\n\nJa, det går bra.\n\nVänliga hälsningar\nSara Lind, Norra'
const written = { context, email: 'asa@example.se', subject: 'Svar', text, body: text, way: 'intag' as const }

it.each([
  ['nobody has touched it', null],
  ['empty', ' \n '],
  ['as it was begun', beginReply(context).body],
  ['begun before the name was known', beginReply({ ...context, firstName: null }).body],
  ['the signature alone', '\nVänliga hälsningar\nSara Lind, Norra\n'],
])('no answer, however long the question below it: %s', (_what, nothing) => {
  const body = appendQuote(nothing ?? '', 'Hur är maten?', 'sv')
  expect(findRefusal({ ...written, text: nothing, body })).toEqual({ kind: 'nothingWritten' })
})

it.each([
  ['Hej {name}!', '{name}'],
  ['{ datum }', '{ datum }'],
  ['Vi ses {sender}.', '{sender}'],
])('what is not filled in is never sent: %s', (line, placeholder) => {
  const refusal = { kind: 'placeholder', text: placeholder }
  expect(findRefusal({ ...written, text: `${text}\n${line}` })).toEqual(refusal)
  expect(findRefusal({ ...written, subject: line })).toEqual(refusal)
  expect(findRefusal({ ...written, body: appendQuote(text, line, 'sv') }), 'the person may have written it').toBeNull()
})

it.each([
  ['Datum och tid:', 'Hej!\n\nDatum och tid:\n\nVi ses!'],
  ['Date and time:', 'Hi,\n\nDate and time: \n \nSee you'],
  ['Plats:', 'Hej!\nPlats:'],
  ['Datum:', 'Hej!\n\nDatum:\nTid: 10\n\nVi ses!'],
  ['Datum och tid:', 'Datum och tid:\n Plats: Aulan'],
  [null, 'Tid och plats:\nTid: 10\nPlats: Aulan'],
  [null, 'Tid:\n- 10 på lördag\n- 18 på måndag'],
  [null, 'Hej!\n\nDatum och tid: lördag\n\nVi ses!'],
  [null, 'Hej!\n\nPlats:\nAulan'],
  [null, 'Hej!\n\nSå här gör du:\n\nRing oss.'],
])('a line that only says what is to be written is refused: %s', (line, body) => {
  expect(findRefusal({ ...written, text: body })).toEqual(line === null ? null : { kind: 'emptyLine', text: line })
})

const noAddress = { kind: 'noAddress' } as const

it.each<[Partial<Parameters<typeof findRefusal>[0]>, ReturnType<typeof findRefusal>]>([
  [{ subject: ' ' }, { kind: 'noSubject' }],
  [{ body: 'x'.repeat(20_003) }, { kind: 'tooLong', over: 3 }],
  [{ subject: 'x'.repeat(201) }, { kind: 'tooLong', over: 1 }],
  [{ email: 'asa(at)example.se' }, noAddress],
  // A mail program lets one mend an address to which nothing can be sent, but not one that leads elsewhere.
  [{ email: 'asa(at)example.se', way: 'program' }, null],
  [{ email: 'asa%x.example@example.se' }, noAddress],
  [{ email: 'asa%x.example@example.se', way: 'program' }, noAddress],
  [{ email: 'x.example!asa@example.se', way: 'program' }, noAddress],
  [{ email: '"asa@x.example"@example.se', way: 'program' }, noAddress],
])('a reply with %o is refused: %j', (change, refusal) => {
  expect(findRefusal({ ...written, ...change })).toEqual(refusal)
})

it.each([
  ['broken', 502, 'refused', 'refused', false],
  ['broken', 502, 'unknown', 'unknown', true],
  ['broken', 502, 'basic-auth-disabled', 'account', false],
  ['broken', 502, 'send-as-denied', 'account', false],
  ['not-ready', 503, null, 'not-ready', true],
  ['broken', 500, 'something-new', 'other', true],
  ['offline', 0, null, 'offline', true],
  ['refused', 429, null, 'busy', false],
  ['refused', 400, null, 'not-sent', false],
  ['not-found', 404, null, 'not-found', false],
] as const)(
  'a mail that failed (%s, %i, %s) is reported as %s; it may have arrived: %s',
  (kind, status, reason, failure, may) => {
    const error = new ApiError(kind, status, null, reason)
    expect([classifyMailFailure(error), mayHaveArrived(classifyMailFailure(error))]).toEqual([failure, may])
    expect(classifyMailFailure(new Error('x'))).toBe('other')
  },
)
