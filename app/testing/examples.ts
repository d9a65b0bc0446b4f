import type { EndpointName } from '@/lib/contract/endpoints'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import type { RouteRow } from './route-table'
import { createNewUser } from './world'

type RowPart = Partial<Pick<RouteRow, 'outcomes' | 'withoutSession' | 'originRule' | 'input'>>
/** Permitted users get the status, by default 200. `ofSchool` means that those of other schools get 404. */
export type Example = RowPart & { status?: number; ofSchool?: true }

const declarations = 'declarations-of-interest'
const withId = (value: string) => () => ({ params: { id: value } })
const withBody = (value: unknown) => () => ({ body: value })
const view = { list: declarations, name: 'Nya', query: {}, shared: false }
const template = { language: 'sv', name: 'Svar', subject: 'Hej', body: 'Hej {firstName}!' }
const withoutToken = { withoutSession: 401, outcomes: [401, 401, 401, 401, 200] } as const

const leadExample: Example = { ofSchool: true, input: ({ lead }) => ({ query: { ...lead } }) }
const createUserExample = (extraInput = {}): Example => ({
  input: async ({ createUser }) => ({ params: { id: await createUser() }, ...extraInput }),
})

/** The input that each endpoint is called with. One without an example is called without parameters and body. */
export const examples: { readonly [Name in EndpointName]?: Example } = {
  'GET /api/queues/[name]': { input: () => ({ params: { name: 'waiting' } }) },
  'POST /api/list-counts': { input: withBody({ matching: { list: declarations } }) },
  'GET /api/contacts/[id]': { ofSchool: true, input: ({ contact }) => ({ params: { id: contact } }) },
  'GET /api/high-schools/[id]': { ofSchool: true, input: ({ school }) => ({ params: { id: school } }) },

  'PATCH /api/triage': { ofSchool: true, input: ({ lead }) => ({ body: { leads: [lead], status: 'in-progress' } }) },
  'POST /api/triage/undo': { status: 400, input: withBody({ undo: 'made-up' }) },
  'POST /api/attempts': {
    ofSchool: true,
    input: ({ lead }) => ({ body: { ...lead, channel: 'phone', outcome: 'no-answer' } }),
  },
  // No mail can be sent here.
  'POST /api/replies': { status: 503, input: ({ lead }) => ({ body: { ...lead, subject: 's', body: 'b' } }) },
  'GET /api/notes': leadExample,
  'GET /api/lead-history': leadExample,
  'POST /api/notes': { ofSchool: true, input: ({ lead }) => ({ body: { ...lead, text: 'Ringde' } }) },
  'DELETE /api/notes/[id]': {
    ofSchool: true,
    input: async ({ lead, sendAsStaff }) => ({
      params: { id: await sendAsStaff('POST /api/notes', { body: { ...lead, text: 'Ringde' } }) },
    }),
  },
  'POST /api/presence': { ofSchool: true, input: ({ lead }) => ({ body: { tab: crypto.randomUUID(), lead } }) },

  'POST /api/views': { input: withBody(view) },
  'DELETE /api/views/[id]': {
    ofSchool: true,
    input: async ({ sendAsStaff }) => ({ params: { id: await sendAsStaff('POST /api/views', { body: view }) } }),
  },
  'POST /api/templates': { input: withBody({ ...template, isOwn: true }) },
  'PUT /api/templates/[id]': { status: 404, input: () => ({ params: { id: 'x' }, body: template }) },
  'DELETE /api/templates/[id]': { status: 404, input: () => ({ params: { id: 'x' } }) },
  'GET /api/preferences/[name]': { input: () => ({ params: { name: 'minors' } }) },
  'PUT /api/preferences/[name]': { input: () => ({ params: { name: 'minors' }, body: { value: { season: 2026 } } }) },

  'POST /api/exports': {
    ofSchool: true,
    input: ({ lead }) => ({ body: { list: declarations, leads: [lead], format: 'csv', purpose: 'Öppet hus' } }),
  },
  'POST /api/exports/preview': {
    input: ({ lead }) => ({ body: { list: declarations, leads: [lead], format: 'csv' } }),
  },
  'PUT /api/admission-cycle': { input: withBody(defaultAdmissionCycle) },

  'DELETE /api/account/sessions/[id]': { status: 404, input: withId('x') },
  'POST /api/account/password': { status: 403, input: withBody({ current: 'wrong', password: 'as good as any 7' }) },
  'POST /api/account/proof': { input: ({ password }) => ({ body: { password } }) },
  'DELETE /api/account/second-factors/[id]': { status: 404, input: withId('x') },
  'POST /api/account/second-factors/totp': { input: withBody({ name: 'Telefonen' }) },
  'POST /api/account/second-factors/totp/confirm': { status: 400, input: withBody({ id: 'x', code: '000000' }) },
  'POST /api/account/recovery-codes': { status: 409 },
  'POST /api/invitations': { status: 404, input: withBody({ token: 't', password: 'as good as any 7' }) },

  'PATCH /api/settings': { input: withBody({ goals: { 'asked-question': 2, 'declaration-of-interest': null } }) },
  'POST /api/users': { input: () => ({ body: createNewUser() }) },
  'PATCH /api/users/[id]': createUserExample({ body: { disabled: true } }),
  'POST /api/users/[id]/invitation': createUserExample(),
  'DELETE /api/users/[id]/second-factors': createUserExample(),
  'DELETE /api/users/[id]/sessions': createUserExample(),
  'PUT /api/sign-in-rules': { input: withBody({ secondFactorFor: [] }) },
  'GET /api/contacts/[id]/rights': { input: ({ other }) => ({ params: { id: other.contact } }) },
  'POST /api/contacts/[id]/extract': {
    input: ({ other }) => ({ params: { id: other.contact }, body: { leads: [other.lead] } }),
  },
  'POST /api/contacts/[id]/erasure': {
    input: ({ other }) => ({ params: { id: other.contact }, body: { leads: [other.lead], confirm: 'erase' } }),
  },
  'POST /api/protections': {
    input: async ({ findProtection, makeProtection, sendAsAdmin }) => {
      await sendAsAdmin('DELETE /api/protections/[id]', { params: { id: await findProtection() } })
      return { body: await makeProtection() }
    },
  },
  'PATCH /api/protections/[id]': {
    input: async ({ findProtection, admin }) => ({ params: { id: await findProtection() }, body: { people: [admin] } }),
  },
  'DELETE /api/protections/[id]': { input: async ({ findProtection }) => ({ params: { id: await findProtection() } }) },
  'POST /api/status/mail': { status: 503 },
  'POST /api/purge-holds': { status: 404, input: withBody({ list: declarations }) },

  'GET /api/metrics': withoutToken,
  'GET /api/auth/[...nextauth]': { input: () => ({ params: { nextauth: ['csrf'] } }) },
  'POST /api/auth/[...nextauth]': {
    status: 302,
    originRule: 'own-or-none',
    input: () => ({ params: { nextauth: ['callback', 'credentials'] } }),
  },
}
