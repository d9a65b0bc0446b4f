import { afterAll, expect, test } from 'vitest'
import { allow } from '@/server/access/viewer'
import { ForbiddenError, NotFoundError, ReauthenticationError } from '@/server/base/errors'
import { replyTemplates, users } from '@/server/base/schema'
import { eq } from 'drizzle-orm'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { addTemplate, changeTemplate, deleteTemplate, listTemplates, sealOwnTemplates } from './reply-templates'

const template = { language: 'sv', name: 'Hej', subject: 'Hej {firstName}', body: 'Från {school}' } as const

const desk = await openTestDesk()
afterAll(() => desk.close())
const proof = { env: { mode: 'demo' as const }, viewers: { stored: async () => null }, providerCheck: null }
const parts = { ...desk.parts, ...proof }
const session = { session: { id: 's', userId: 'x', issuedAtMs: 0 } }
const sender = async (...person: Parameters<typeof desk.person>) => allow(await desk.person(...person), 'leads:reply')
const templatesOf = async (viewer: Awaited<ReturnType<typeof sender>>) =>
  (await listTemplates(parts, allow(viewer, 'leads:read'))).templates

test('administrators publish templates, those who read leads use them', async () => {
  const sara = await sender('sara', 'staff', ['norra', 'sodra'])
  const anna = await sender('anna', 'admin', 'all')
  const made = await addTemplate(parts, anna, template, session)
  const changed = await changeTemplate(parts, anna, { ...template, id: made.id, language: 'en', name: 'Hi' }, session)
  await addTemplate(parts, anna, template, session)
  expect((await templatesOf(sara)).map(({ name }) => name)).toEqual(['Hej', 'Hi'])
  expect(changed).toEqual({ ...template, language: 'en', name: 'Hi', id: made.id })
  for (const refused of [
    addTemplate(parts, sara, template, session),
    changeTemplate(parts, sara, { ...template, id: made.id }, session),
    deleteTemplate(parts, sara, { id: made.id }, session),
  ])
    await expect(refused).rejects.toThrow(ForbiddenError)
  const unproved = {
    ...parts,
    env: { mode: 'connected' as const },
    viewers: { stored: async () => ({ method: 'password', provedAt: new Date(0) }) as never },
  }
  for (const refused of [
    addTemplate(unproved, anna, template, session),
    changeTemplate(unproved, anna, { ...template, id: made.id }, session),
    deleteTemplate(unproved, anna, { id: made.id }, session),
  ])
    await expect(refused).rejects.toThrow(ReauthenticationError)
  await deleteTemplate(parts, anna, { id: made.id }, session)
  await expect(deleteTemplate(parts, anna, { id: made.id }, session)).rejects.toThrow(NotFoundError)
})

test('an own template is seen, changed and deleted by its owner alone', async () => {
  const sara = await sender('sara-2', 'staff', ['norra'])
  const omar = await sender('omar', 'staff', ['norra'])
  const anna = await sender('anna-2', 'admin', 'all')
  const ownOf = async (viewer: typeof sara) =>
    (await templatesOf(viewer)).flatMap(({ name, body, isOwn }) => (isOwn ? [[name, body]] : []))
  const own = { ...template, name: 'Om buss' }
  const { id } = await addTemplate(parts, sara, { ...own, isOwn: true }, session)
  await changeTemplate(parts, sara, { ...own, id, body: 'Två' }, session)
  expect(await ownOf(sara)).toEqual([['Om buss', 'Två']])
  expect(await ownOf(omar)).toEqual([])
  for (const refused of [
    deleteTemplate(parts, omar, { id }, session),
    deleteTemplate(parts, anna, { id }, session),
    changeTemplate(parts, anna, { ...own, id }, session),
  ])
    await expect(refused).rejects.toThrow(NotFoundError)
  await deleteTemplate(parts, sara, { id }, session)
  expect(await ownOf(sara)).toEqual([])
  await addTemplate(parts, omar, { ...own, isOwn: true }, session)
  await desk.db.delete(users).where(eq(users.id, 'omar'))
  expect(await ownOf(omar), 'gone with its owner').toEqual([])
})

test('own templates, which may name a pupil, are sealed at rest, also those of an earlier release', async () => {
  const sara = await sender('sara-3', 'staff', ['norra'])
  const texts = { name: 'Till Elsa', subject: 'Hej Elsa', body: 'Elsa Ek fick plats' }
  const made = await addTemplate(parts, sara, { ...texts, language: 'sv', isOwn: true }, session)
  await changeTemplate(parts, sara, { ...texts, language: 'sv', id: made.id }, session)
  const plain = { ...texts, name: 'Elsas', language: 'sv', ownerId: 'sara-3', updatedAt: new Date(0) } as const
  await desk.db.insert(replyTemplates).values({ ...plain, id: 'of-before' })
  await sealOwnTemplates(parts)
  await sealOwnTemplates(parts)
  const stored = await desk.db.select().from(replyTemplates).where(eq(replyTemplates.ownerId, 'sara-3'))
  expect(stored).toHaveLength(2)
  expect(JSON.stringify(stored)).not.toMatch(/Elsa|fick plats/)
  const own = (await templatesOf(sara)).filter(({ isOwn }) => isOwn)
  expect(own.map(({ name, body }) => [name, body])).toEqual([
    ['Elsas', texts.body],
    ['Till Elsa', texts.body],
  ])
})
