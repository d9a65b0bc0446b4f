import { describe, expect, test } from 'vitest'
import { createToken, withdrawToken } from '@/server/access/tokens'
import { signInAttempts, users as usersTable } from '@/server/db/schema'
import {
  boss,
  directoryWorld,
  ENTERPRISE,
  entraUser,
  type Method,
  ORIGIN,
  refusal,
  USER,
} from './testing/directory-world'

const { db, time, parts, made: given, cookie: cookieOf, ask, stored, addUser, addGroup, patch } = await directoryWorld()
const accessOf = async (id: string) => {
  const user = await stored(id)
  return user?.disabled ? 'none' : [user?.role, user?.schools]
}

describe('as Entra asks, by its published examples', () => {
  test('its test of the connection: an unknown person is no error but an empty list', async () => {
    const { status, headers, json } = await ask(
      'GET',
      'Users?filter=userName+eq+%22c6b8@x.test%22&startIndex=1&count=1',
    )
    expect([status, headers.get('content-type')]).toEqual([200, 'application/scim+json'])
    expect(headers.get('cache-control')).toBe('private, no-store')
    const page = { totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] }
    expect(json).toEqual({ schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], ...page })
  })

  test('a person is made, found by name and by id, changed in its dialect, and disabled', async () => {
    const made = await ask('POST', 'Users', entraUser('Eva@Skola.example'))
    const { id } = made.json
    expect([made.status, made.headers.get('location')]).toEqual([201, `${ORIGIN}/scim/v2/Users/${id}`])
    const eva = {
      schemas: [USER],
      id,
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'eva@skola.example',
      displayName: 'Eva Ek',
      name: { formatted: 'Eva Ek', familyName: 'Ek', givenName: 'Eva' },
      emails: [{ value: 'eva@skola.example', type: 'work', primary: true }],
      active: true,
      meta: {
        resourceType: 'User',
        created: made.json.meta.created,
        lastModified: expect.any(String),
        location: expect.any(String),
      },
    }
    expect(made.json).toEqual(eva)
    for (const filter of ['userName eq "EVA@skola.example"', `externalId eq "${eva.externalId}"`, `id eq "${id}"`]) {
      const found = await ask('GET', `Users?filter=${encodeURIComponent(filter)}`)
      expect(found.json).toMatchObject({ totalResults: 1, Resources: [eva] })
    }
    expect((await ask('GET', `Users/${id}`)).json).toEqual(eva)
    const changed = await patch(
      `Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ny@skola.example' },
      { op: 'Replace', path: 'name.familyName', value: 'Al' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Annat' },
      { op: 'Replace', value: { displayName: 'Eva Al', 'name.givenName': 'Eva-Lo', [`${ENTERPRISE}:division`]: 'x' } },
      { op: 'Remove', path: 'externalId' },
    )
    expect(changed.status).toBe(200)
    expect(changed.json).toMatchObject({ displayName: 'Eva Al', name: { familyName: 'Al', givenName: 'Eva-Lo' } })
    expect(changed.json).not.toHaveProperty('externalId')
    const half = await patch(`Users/${id}`, { op: 'Replace', path: 'name.familyName', value: 'Ek' })
    expect(half.json, 'what it was called by stays').toMatchObject({
      displayName: 'Eva Al',
      name: { familyName: 'Ek' },
    })
    const renamed = await patch(`Users/${id}`, { op: 'Replace', path: 'userName', value: 'Ny@skola.example' })
    expect(renamed.json).toMatchObject({ userName: 'ny@skola.example', displayName: 'Eva Al' })
    for (const value of ['False', false, 'True', true]) {
      const { json } = await patch(`Users/${id}`, { op: 'Replace', path: 'active', value })
      expect(json.active).toBe(/true/i.test(String(value)))
    }
    expect((await patch(`Users/${id}`, { op: 'replace', value: { active: 'False' } })).json.active).toBe(false)
    expect((await ask('PUT', `Users/${id}`, { schemas: [USER], userName: 'ny@skola.example' })).json).toMatchObject({
      active: false,
      displayName: 'Eva Al',
    })
  })

  test('groups give role and schools at once, by name or by the id that single sign-on knows them by', async () => {
    const id = await addUser()
    expect(await accessOf(id), 'made, and nothing more').toBe('none')
    const staff = await addGroup('Intag-Personal')
    const north = await addGroup('Norra')
    const south = await addGroup('Södra')
    const heads = await addGroup('Rektorer', [], { externalId: '6f1c-rektor' })
    const add = { op: 'Add', path: 'members', value: [{ $ref: null, value: id }] }
    expect((await patch(`Groups/${staff}`, add)).status).toBe(200)
    expect(await accessOf(id), 'a role without a school').toBe('none')
    await patch(`Groups/${north}`, add)
    expect(await accessOf(id)).toEqual(['staff', ['norra']])
    await patch(`Groups/${south}`, { op: 'add', value: { members: [{ value: id }] } })
    expect(await accessOf(id)).toEqual(['staff', ['norra', 'sodra']])
    await patch(`Groups/${heads}`, add)
    await patch(`Groups/${staff}`, { op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] })
    expect(await accessOf(id)).toEqual(['manager', ['norra', 'sodra']])
    await patch(`Groups/${north}`, { op: 'remove', path: `members[value eq "${id}"]` })
    expect(await accessOf(id)).toEqual(['manager', ['sodra']])
    await patch(`Groups/${south}`, { op: 'Replace', path: 'displayName', value: 'Norra 2' })
    expect(await accessOf(id), 'a group of another name').toBe('none')
    await patch(`Groups/${south}`, { op: 'Replace', value: { id: south, displayName: 'Södra' } })
    expect(await accessOf(id)).toEqual(['manager', ['sodra']])
    const found = await ask('GET', 'Groups?excludedAttributes=members&filter=displayName+eq+%22S%C3%B6dra%22')
    expect(found.json.Resources).toMatchObject([{ id: south }])
    expect(found.json.Resources[0]).not.toHaveProperty('members')
    expect((await ask('GET', `Groups/${south}`)).json.members).toEqual([{ value: id }])
    expect((await ask('DELETE', `Groups/${south}`)).status).toBe(204)
    expect(await accessOf(id)).toBe('none')
    expect((await ask('GET', `Groups/${south}`)).json).toEqual(refusal(404))
  })

  test('the same person or group twice is 409, and a deleted person is unknown until made again', async () => {
    const id = await addUser()
    await addGroup('Norra', [id])
    await addGroup('Intag-Personal', [id])
    expect((await ask('POST', 'Users', entraUser())).json).toEqual(refusal(409, 'uniqueness'))
    expect((await ask('POST', 'Groups', { displayName: 'Norra' })).json).toEqual(refusal(409, 'uniqueness'))
    const other = await addUser('ulf@skola.example')
    const taken = await patch(`Users/${other}`, { op: 'replace', path: 'userName', value: 'eva@skola.example' })
    expect(taken.status).toBe(409)
    expect((await ask('DELETE', `Users/${id}`)).status).toBe(204)
    for (const method of ['GET', 'DELETE'] as const) expect((await ask(method, `Users/${id}`)).status).toBe(404)
    expect((await patch(`Users/${id}`, { op: 'replace', path: 'active', value: true })).status).toBe(404)
    expect((await ask('GET', 'Users')).json.totalResults).toBe(1)
    expect(await stored(id), 'what they did keeps its name').toMatchObject({ disabled: true, name: 'Eva Ek' })
    expect(await addUser()).toBe(id)
    expect(await accessOf(id), 'in no group').toBe('none')
  })
})

test('as Keycloak asks: what is offered, a person without displayName, whole groups by PUT, pages', async () => {
  const config = await ask('GET', 'ServiceProviderConfig')
  expect(config.json).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true },
  })
  const person = { schemas: [USER], userName: 'nils@skola.example', name: { givenName: 'Nils', familyName: 'Nord' } }
  const { json: nils } = await ask('POST', 'Users', { ...person, externalId: 'k1' }, { type: 'application/json' })
  expect(nils).toMatchObject({ displayName: 'Nils Nord', active: true })
  const married = await patch(`Users/${nils.id}`, { op: 'replace', path: 'name.familyName', value: 'Norr' })
  expect(married.json.displayName).toBe('Nils Norr')
  const others = [await addUser(), await addUser('ulf@skola.example')]
  const group = await addGroup('Intag-Admin', others)
  const members = [{ value: nils.id, display: 'Nils' }]
  expect((await ask('PUT', `Groups/${group}`, { displayName: 'Intag-Admin', members })).json.members).toEqual([
    { value: nils.id },
  ])
  expect(await accessOf(nils.id)).toEqual(['admin', 'all'])
  expect(await Promise.all(others.map(accessOf))).toEqual(['none', 'none'])
  const page = await ask('GET', 'Users?startIndex=2&count=1')
  expect(page.json).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 })
  expect((await ask('GET', 'Users?count=0')).json).toMatchObject({ totalResults: 3, itemsPerPage: 0 })
})

describe('who is let in', () => {
  test('nobody without a key of this purpose, whatever the session or the origin', async () => {
    const { token: figures } = await createToken(parts, boss, { name: 'Power BI', schools: 'all' })
    const cookie = await cookieOf()
    for (const token of [null, figures, `${given.key}x`, 'demo']) {
      const { status, json, headers } = await ask('GET', 'Users', undefined, { token, headers: { cookie } })
      expect([status, json, headers.get('www-authenticate')]).toEqual([401, refusal(401), 'Bearer'])
    }
    const far = { headers: { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' } }
    expect((await ask('POST', 'Users', entraUser(), { ...far, token: null })).status).toBe(401)
    await withdrawToken(parts, boss, { id: given.keyId })
    expect((await ask('POST', 'Users', entraUser())).status).toBe(401)
    expect(await db.$count(usersTable)).toBe(3)
  })

  test('a whole directory within an hour, and then one request a minute', async () => {
    await ask('GET', 'ServiceProviderConfig')
    await db.update(signInAttempts).set({ failures: 4_999 })
    expect((await ask('GET', 'ServiceProviderConfig')).status).toBe(200)
    const held = await ask('GET', 'ServiceProviderConfig')
    expect([held.status, held.json, Number(held.headers.get('retry-after')) > 0]).toEqual([429, refusal(429), true])
    time.ms += 3_600_000
  })
})

describe('refuses, in its own form,', () => {
  test.each<[string, Method, string, unknown, number, string?]>([
    ['a name that is no address', 'POST', 'Users', { userName: 'eva' }, 400, 'invalidValue'],
    ['a person without a name', 'POST', 'Users', { displayName: 'x' }, 400, 'invalidValue'],
    ['a group without a name', 'POST', 'Groups', { members: [] }, 400, 'invalidValue'],
    ['what is no object', 'POST', 'Users', [], 400, 'invalidValue'],
    ['what is no JSON', 'POST', 'Users', '{"userName":', 400, 'invalidValue'],
    ['nesting without an end', 'POST', 'Users', `{"userName":${'['.repeat(400_000)}`, 400, 'invalidValue'],
    ['a huge body', 'POST', 'Users', { userName: 'x'.repeat(1_000_001) }, 413],
    ['a name of 4 kB', 'POST', 'Users', { userName: 'a@x.test', displayName: 'x'.repeat(4_000) }, 400, 'invalidValue'],
    ['what cannot be stored', 'POST', 'Users', '{"userName":"a@x.test","displayName":"\\u0000"}', 400, 'invalidValue'],
    ['another filter', 'GET', 'Users?filter=active+eq+true', undefined, 400, 'invalidFilter'],
    ['a filter of two', 'GET', 'Users?filter=id+eq+"a"+or+id+eq+"b"', undefined, 400, 'invalidFilter'],
    ['a filter with NUL', 'GET', 'Users?filter=id+eq+"%5Cu0000"', undefined, 400, 'invalidFilter'],
    ['a page that is no number', 'GET', 'Users?startIndex=x', undefined, 400, 'invalidValue'],
    ['an unknown resource', 'GET', 'Bulk', undefined, 404],
    ['what every object has', 'GET', 'constructor', undefined, 404],
    ['an id that is too long', 'GET', `Users/${'x'.repeat(5_000)}`, undefined, 404],
    ['all at once', 'DELETE', 'Users', undefined, 405],
    ['a change of what is offered', 'POST', 'ServiceProviderConfig', {}, 404],
    ['a filter with a bad escape', 'GET', 'Users?filter=id+eq+"%5Cx"', undefined, 400, 'invalidFilter'],
    ['half a character', 'GET', 'Users?filter=id+eq+"%5Cud800"', undefined, 400, 'invalidFilter'],
  ])('%s', async (_, method, path, body, status, type) => {
    const answer = await ask(method, path, body)
    expect([answer.status, answer.json]).toEqual([status, refusal(status, type)])
    expect(await db.$count(usersTable)).toBe(3)
  })

  test.each<[string, object, string]>([
    ['an unknown operation', { op: 'move', path: 'active', value: true }, 'invalidValue'],
    ['a removal of nothing named', { op: 'remove' }, 'noTarget'],
    ['a value that is no object', { op: 'replace', value: 'x' }, 'invalidSyntax'],
    ['a state that is none', { op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    ['one member to become another', { op: 'replace', path: 'members[value eq "x"]', value: [] }, 'noTarget'],
    ['no address', { op: 'remove', path: 'userName' }, 'invalidValue'],
  ])('%s', async (_, operation, type) => {
    const id = await addUser()
    expect((await patch(`Users/${id}`, operation)).json).toEqual(refusal(400, type))
    expect(
      (await patch(`Users/${id}`, { op: 'replace', value: { __proto__: { active: false }, nickName: {} } })).status,
    ).toBe(200)
    expect((await ask('GET', `Users/${id}`)).json.active).toBe(true)
  })

  test('another type, and ten thousand members at once, of which none comes in', async () => {
    expect((await ask('POST', 'Users', '<x/>', { type: 'text/xml' })).status).toBe(415)
    const group = await addGroup('Intag-Admin')
    const value = Array.from({ length: 10_000 }, (_, at) => ({ value: `00000000-0000-4000-8000-${at}` }))
    expect((await patch(`Groups/${group}`, { op: 'Add', path: 'members', value })).status).toBe(413)
    const tenth = value.slice(0, 900).map((member) => ({ op: 'Add', path: 'members', value: member }))
    expect((await patch(`Groups/${group}`, ...tenth)).status).toBe(404)
    expect((await ask('GET', `Groups/${group}`)).json.members).toEqual([])
  })
})
