import { expect, expectTypeOf, test } from 'vitest'
import { DatabaseUnreachableError, ForbiddenError } from '@/server/base/errors'
import { type Allowed, allow, makeViewer, may, scopeKey, type Viewer } from './viewer'

const person = { id: 'p', name: 'P', email: 'p@x.test', schools: 'all' } as const
const sara = makeViewer({ ...person, role: 'staff' })
const boss = makeViewer({ ...person, role: 'manager' })

const readLeads = (viewer: Allowed<'leads:read'>) => viewer.id

test('who may do something is let through to what asks for it, everyone else is refused', () => {
  expect(readLeads(allow(sara, 'leads:read'))).toBe('p')
  expect(may(sara, 'leads:triage') && readLeads(sara)).toBe('p')
  expect(may(boss, 'leads:read')).toBe(false)
  expect(() => allow(boss, 'leads:read')).toThrow(ForbiddenError)
})

test('the scope is one text for all who see the same, and another for everybody else, whatever schools are called', () => {
  const scope = (schools: 'all' | string[]) => scopeKey(makeViewer({ ...person, schools, role: 'staff' }))
  expect(scope(['norra', 'sodra'])).toBe(scope(['sodra', 'norra']))
  const others = [
    scope('all'),
    scope([]),
    scope(['all']),
    scope(['*']),
    scope(['norra', 'sodra']),
    scope(['norra,sodra']),
  ]
  expect(new Set([...others, scopeKey(boss)]).size).toBe(others.length + 1)
})

test('a verb takes nobody who was not asked about its permission; the compiler sees to it', () => {
  expectTypeOf<Viewer>().not.toExtend<Allowed<'leads:read'>>()
  expectTypeOf<Allowed<'interest:read'>>().not.toExtend<Allowed<'leads:read'>>()
  expectTypeOf<Allowed<'leads:triage'>>().toExtend<Allowed<'leads:read'>>()
  expectTypeOf<Allowed<'admin'>>().toExtend<Allowed<'leads:export'>>()
})

test.each(['staff', 'manager', 'admin'] as const)(
  '%s has what a permission includes, also while only reading',
  (role) => {
    const included = [
      ['leads:read', 'interest:read'],
      ['leads:triage', 'leads:read'],
      ['leads:export', 'leads:read'],
      ['admin', 'leads:triage'],
      ['admin', 'leads:export'],
    ] as const
    for (const viewer of [makeViewer({ ...person, role }), makeViewer({ ...person, role }, { readOnly: true })]) {
      expect(included.filter(([one, other]) => may(viewer, one) && !may(viewer, other))).toEqual([])
    }
  },
)

test('while the database is away nobody lacks a permission of theirs: it is withheld', () => {
  const withheld = makeViewer({ ...person, role: 'staff' }, { readOnly: true })
  expect(() => allow(withheld, 'leads:triage')).toThrow(DatabaseUnreachableError)
  expect(() => allow(withheld, 'admin')).toThrow(ForbiddenError)
  expect(allow(withheld, 'leads:read')).toBe(withheld)
  expect(() => allow(sara, 'admin')).toThrow(ForbiddenError)
})
