import { afterAll, expect, test } from 'vitest'
import { allow } from '@/server/access/viewer'
import { ForbiddenError, NotFoundError } from '@/server/base/errors'
import { replyTemplates, users } from '@/server/base/schema'
import { eq } from 'drizzle-orm'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { addTemplate, changeTemplate, deleteTemplate, listTemplates, sealOwnTemplates } from './reply-templates'

const template = { language: 'sv', name: 'Hej', subject: 'Hej {firstName}', body: 'Från {school}' } as const

const desk = await openTestDesk()
afterAll(() => desk.close())
const { parts } = desk
const sender = async (...person: Parameters<typeof desk.person>) => allow(await desk.person(...person), 'leads:reply')
const templatesOf = async (viewer: Awaited<ReturnType<typeof sender>>) =>
  (await listTemplates(parts, allow(viewer, 'leads:read'))).templates

test('administrators publish templates, those who read leads use them', async () => {
  const sara = await sender('sara', 'staff', ['norra', 'sodra'])
  const anna = await sender('anna', 'admin', 'all')
  const made = await addTemplate(parts, anna, template)
  const changed = await changeTemplate(parts, anna, { ...template, id: made.id, language: 'en', name: 'Hi' })
  await addTemplate(parts, anna, template)
  expect((await templatesOf(sara)).map(({ name }) => name)).toEqual(['Hej', 'Hi'])
  expect(changed).toEqual({ ...template, language: 'en', name: 'Hi', id: made.id })
  for (const refused of [
    addTemplate(parts, sara, template),
    changeTemplate(parts, sara, { ...template, id: made.id }),
    deleteTemplate(parts, sara, { id: made.id }),
  ])
    await expect(refused).rejects.toThrow(ForbiddenError)
  await deleteTemplate(parts, anna, { id: made.id })
  await expect(deleteTemplate(parts, anna, { id: made.id })).rejects.toThrow(NotFoundError)
})

test('an own template is seen, changed and deleted by its owner alone', async () => {
  const sara = await sender('sara-2', 'staff', ['norra'])
  const omar = await sender('omar', 'staff', ['norra'])
  const anna = await sender('anna-2', 'admin', 'all')
  const ownOf = async (viewer: typeof sara) =>
    (await templatesOf(viewer)).flatMap(({ name, body, isOwn }) => (isOwn ? [[name, body]] : []))
  const own = { ...template, name: 'Om buss' }
  const { id } = await addTemplate(parts, sara, { ...own, isOwn: true })
  await changeTemplate(parts, sara, { ...own, id, body: 'Två' })
  expect(await ownOf(sara)).toEqual([['Om buss', 'Två']])
  expect(await ownOf(omar)).toEqual([])
  for (const refused of [
    deleteTemplate(parts, omar, { id }),
    deleteTemplate(parts, anna, { id }),
    changeTemplate(parts, anna, { ...own, id }),
  ])
    await expect(refused).rejects.toThrow(NotFoundError)
  await deleteTemplate(parts, sara, { id })
  expect(await ownOf(sara)).toEqual([])
  await addTemplate(parts, omar, { ...own, isOwn: true })
  await desk.db.delete(users).where(eq(users.id, 'omar'))
  expect(await ownOf(omar), 'gone with its owner').toEqual([])
})

test('own templates, which may name a pupil, are sealed at rest, also those of an earlier release', async () => {
  const sara = await sender('sara-3', 'staff', ['norra'])
  const texts = { name: 'Till Elsa', subject: 'Hej Elsa', body: 'Elsa Ek fick plats' }
  const made = await addTemplate(parts, sara, { ...texts, language: 'sv', isOwn: true })
  await changeTemplate(parts, sara, { ...texts, language: 'sv', id: made.id })
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
