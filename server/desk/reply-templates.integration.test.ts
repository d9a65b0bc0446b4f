import { afterAll, expect, test } from 'vitest'
import { type Allowed, allow } from '@/server/access/viewer'
import { ForbiddenError, NotFoundError } from '@/server/errors'
import { replyTemplates, users } from '@/server/db/schema'
import { eq } from 'drizzle-orm'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import type { NewAnswer } from '@/lib/contract/attempts'
import {
  addTemplate,
  changeTemplate,
  deleteAnswer,
  deleteTemplate,
  listTemplates,
  saveAnswer,
  sealOwnAnswers,
} from './reply-templates'

const template = { language: 'sv', name: 'Hej', subject: 'Hej {firstName}', body: 'Från {school}' } as const

const desk = await openTestDesk()
afterAll(() => desk.close())

const save = (viewer: Allowed<'leads:reply'>, answer: NewAnswer) => {
  const proof = { env: { mode: 'demo' as const }, viewers: { stored: async () => null }, providerCheck: null }
  const session = { id: 's', userId: viewer.id, issuedAtMs: 0 }
  return saveAnswer({ ...desk.parts, ...proof }, viewer, answer, { session })
}

test('administrators write templates, those who read leads use them', async () => {
  const { parts } = desk
  const sara = await desk.person('sara', 'staff', ['norra', 'sodra'])
  const anna = await desk.person('anna', 'admin', 'all')
  const made = await addTemplate(parts, anna, template)
  const changed = await changeTemplate(parts, anna, { ...template, id: made.id, language: 'en', name: 'Hi' })
  await addTemplate(parts, anna, template)
  const seen = await listTemplates(parts, allow(sara, 'leads:read'))
  expect(seen.templates.map(({ name }) => name)).toEqual(['Hej', 'Hi'])
  expect(changed).toEqual({ ...template, language: 'en', name: 'Hi', id: made.id })
  await deleteTemplate(parts, anna, { id: made.id })
  await expect(deleteTemplate(parts, anna, { id: made.id })).rejects.toThrow(NotFoundError)
  await expect(changeTemplate(parts, anna, { ...template, id: made.id })).rejects.toThrow(NotFoundError)
  for (const refused of [addTemplate(parts, sara, template), deleteTemplate(parts, sara, { id: 'x' })])
    await expect(refused).rejects.toThrow(ForbiddenError)
})

test('an own answer is seen, replaced and deleted by its owner alone; one for everybody is the administrators’', async () => {
  const { parts } = desk
  const sara = allow(await desk.person('sara-2', 'staff', ['norra']), 'leads:reply')
  const omar = allow(await desk.person('omar', 'staff', ['norra']), 'leads:reply')
  const anna = await desk.person('anna-2', 'admin', 'all')
  const namesOf = async (viewer: typeof sara) => {
    const { templates } = await listTemplates(parts, allow(viewer, 'leads:read'))
    return templates.filter(({ name }) => name.startsWith('Om ')).map(({ name, body, isOwn }) => [name, body, isOwn])
  }
  const own = { ...template, name: 'Om buss' }
  await save(sara, { ...own, body: 'Ett', isShared: false })
  const { id } = await save(sara, { ...own, body: 'Två', isShared: false })
  const forAll = { ...own, name: 'Om mat', isShared: true }
  await expect(save(sara, forAll)).rejects.toThrow(ForbiddenError)
  const shared = await save(allow(anna, 'leads:reply'), forAll)
  expect(await namesOf(sara)).toEqual([
    ['Om buss', 'Två', true],
    ['Om mat', 'Från {school}', undefined],
  ])
  expect(await namesOf(omar)).toEqual([['Om mat', 'Från {school}', undefined]])
  for (const refused of [
    deleteAnswer(parts, omar, { id }),
    deleteAnswer(parts, sara, { id: shared.id }),
    deleteTemplate(parts, anna, { id }),
    changeTemplate(parts, anna, { ...own, id }),
  ])
    await expect(refused).rejects.toThrow(NotFoundError)
  await deleteAnswer(parts, sara, { id })
  await deleteTemplate(parts, anna, { id: shared.id })
  expect(await namesOf(sara)).toEqual([])
  await save(omar, { ...own, isShared: false })
  const db = await parts.connect()
  await db.delete(users).where(eq(users.id, 'omar'))
  expect(await namesOf(omar), 'gone with its owner').toEqual([])
})

test('own answers, which may name a pupil, are sealed at rest, also those of an earlier release', async () => {
  const { parts } = desk
  const sara = allow(await desk.person('sara-3', 'staff', ['norra']), 'leads:reply')
  const texts = { name: 'Till Elsa', subject: 'Hej Elsa', body: 'Elsa Ek fick plats' }
  await save(sara, { ...texts, language: 'sv', isShared: false })
  const db = await parts.connect()
  const plain = { ...texts, name: 'Elsas', language: 'sv', ownerId: 'sara-3', updatedAt: new Date(0) } as const
  await db.insert(replyTemplates).values({ ...plain, id: 'of-before' })
  await sealOwnAnswers(parts)
  await sealOwnAnswers(parts)
  const stored = await db.select().from(replyTemplates).where(eq(replyTemplates.ownerId, 'sara-3'))
  expect(stored).toHaveLength(2)
  expect(JSON.stringify(stored)).not.toMatch(/Elsa|fick plats/)
  const { templates } = await listTemplates(parts, allow(sara, 'leads:read'))
  expect(templates.filter(({ isOwn }) => isOwn).map(({ name, body }) => [name, body])).toEqual([
    ['Elsas', texts.body],
    ['Till Elsa', texts.body],
  ])
})
