import type { LeadRef } from '@/lib/contract/lead'

/**
 * Every route and page, and who may. A file under `app` without its row fails `app/every-route.integration.test.ts`, and so does a row
 * without its file.
 *
 * `who` is what each is answered: staff of the lead's school, staff of another school, staff of none, a manager, an
 * administrator. 200: it was done. 400, 404, 409: let in, but what was sent was empty or about something that is not there
 * (for this person). 403: not this person.
 *
 * Nobody signed in, or no longer: 401, and pages lead to sign-in; `nobody` says so where it is otherwise. Whatever comes from
 * another origin and changes something: 403; `foreign` says so where it is otherwise.
 */
export type Row = {
  /** Methods and path, as the files are named; PAGE for a page. */
  at: string
  who: readonly [own: Answer, other: Answer, none: Answer, manager: Answer, admin: Answer]
  nobody?: Answer
  foreign?: 'like-own' | 'needs-none'
  ask?: (world: World) => Ask | Promise<Ask>
}

export type Answer = number | 'shown' | 'no access' | 'not found' | `to ${string}`
export type Ask = { params?: Record<string, unknown>; query?: Record<string, string>; body?: unknown }

/** What there is: a lead of one school, whose sender wrote to no other; the notes and views are its staff's, made anew. */
export type World = {
  lead: LeadRef
  school: string
  contact: string
  note: () => Promise<string>
  privateView: () => Promise<string>
}

const leads = [200, 200, 200, 403, 200] as const
const numbers = [200, 200, 200, 200, 200] as const
const admins = (answer: number) => [403, 403, 403, 403, answer] as const
const all = (answer: Answer) => [answer, answer, answer, answer, answer] as const
const adminPage = ['no access', 'no access', 'no access', 'no access', 'shown'] as const
const leadPage = ['shown', 'shown', 'shown', 'no access', 'shown'] as const

const declarations = 'declarations-of-interest'
const id = (value: string) => () => ({ params: { id: value } })
const nothing = { body: {} }

export const routeTable: readonly Row[] = [
  // Leads and the people behind them.
  { at: 'GET /api/declarations-of-interest', who: leads },
  { at: 'GET /api/asked-questions', who: leads },
  { at: 'GET /api/day', who: leads },
  { at: 'POST /api/list-counts', who: leads, ask: () => ({ body: { matching: { list: declarations } } }) },
  {
    at: 'GET /api/contacts/[id]',
    who: [200, 404, 404, 403, 200],
    ask: ({ contact }) => ({ params: { id: contact } }),
  },
  { at: 'GET /api/high-schools', who: numbers },
  {
    at: 'GET /api/high-schools/[id]',
    who: [200, 404, 404, 200, 200],
    ask: ({ school }) => ({ params: { id: school } }),
  },

  // Decisions, notes, who is there.
  {
    at: 'PATCH /api/triage',
    who: [200, 404, 404, 403, 200],
    ask: ({ lead }) => ({ body: { leads: [lead], status: 'in-progress' } }),
  },
  {
    at: 'POST /api/attempts',
    who: [200, 404, 404, 403, 200],
    ask: ({ lead }) => ({ body: { ...lead, channel: 'phone', outcome: 'no-answer' } }),
  },
  { at: 'GET /api/replies', who: leads },
  // No mail can be sent here.
  {
    at: 'POST /api/replies',
    who: [503, 503, 503, 403, 503],
    ask: ({ lead }) => ({ body: { ...lead, subject: 's', body: 'b' } }),
  },
  // Nothing is unsure.
  {
    at: 'PATCH /api/replies',
    who: [409, 404, 404, 403, 409],
    ask: ({ lead }) => ({ body: { ...lead, attempt: '1', wasSent: true } }),
  },
  { at: 'GET /api/settings', who: numbers },
  { at: 'PATCH /api/settings', who: admins(200), ask: () => ({ body: { calendar: [] } }) },
  { at: 'GET /api/triage/undo', who: leads },
  { at: 'POST /api/triage/undo', who: [400, 400, 400, 403, 400], ask: () => ({ body: { undo: 'made-up' } }) },
  {
    at: 'GET /api/notes',
    who: [200, 404, 404, 403, 200],
    ask: ({ lead }) => ({ query: { ...lead } }),
  },
  {
    at: 'GET /api/lead-history',
    who: [200, 404, 404, 403, 200],
    ask: ({ lead }) => ({ query: { ...lead } }),
  },
  {
    at: 'POST /api/notes',
    who: [200, 404, 404, 403, 200],
    ask: ({ lead }) => ({ body: { ...lead, text: 'Ringde' } }),
  },
  {
    at: 'DELETE /api/notes/[id]',
    who: [200, 404, 404, 403, 200],
    ask: async ({ note }) => ({ params: { id: await note() } }),
  },
  {
    at: 'POST /api/presence',
    who: [200, 404, 404, 403, 200],
    ask: ({ lead }) => ({ body: { tab: crypto.randomUUID(), lead } }),
  },
  { at: 'GET /api/people', who: leads },
  { at: 'GET /api/events', who: numbers },

  // Views, templates, choices.
  { at: 'GET /api/views', who: leads },
  {
    at: 'POST /api/views',
    who: leads,
    ask: () => ({ body: { list: declarations, name: 'Nya', query: {}, shared: false } }),
  },
  {
    at: 'DELETE /api/views/[id]',
    who: [200, 404, 404, 403, 200],
    ask: async ({ privateView }) => ({ params: { id: await privateView() } }),
  },
  { at: 'GET /api/templates', who: leads },
  { at: 'POST /api/templates', who: admins(400), ask: () => nothing },
  { at: 'PUT /api/templates/[id]', who: admins(400), ask: () => ({ ...nothing, params: { id: 'x' } }) },
  { at: 'DELETE /api/templates/[id]', who: admins(404), ask: id('x') },
  { at: 'GET /api/preferences/[name]', who: all(404), ask: () => ({ params: { name: 'x' } }) },
  { at: 'PUT /api/preferences/[name]', who: all(404), ask: () => ({ params: { name: 'x' }, body: { value: 1 } }) },

  // One's own account.
  { at: 'GET /api/account/sessions', who: all(200) },
  { at: 'DELETE /api/account/sessions', who: all(200), ask: () => ({ query: { keep: 'current' } }) },
  { at: 'DELETE /api/account/sessions/[id]', who: all(404), ask: id('x') },
  { at: 'GET /api/account/leave', who: leads },
  { at: 'PUT /api/account/leave', who: leads, ask: () => ({ body: { until: null } }) },
  { at: 'GET /api/reading/question', who: all(200) },
  { at: 'POST /api/reading/question', who: all(400), ask: () => nothing },

  // Files.
  {
    at: 'POST /api/exports',
    who: [200, 404, 404, 403, 200],
    ask: ({ lead }) => ({ body: { list: declarations, leads: [lead], format: 'csv', purpose: 'Öppet hus' } }),
  },
  {
    at: 'POST /api/exports/preview',
    who: leads,
    ask: ({ lead }) => ({ body: { list: declarations, leads: [lead], format: 'csv' } }),
  },
  { at: 'GET /api/exports', who: leads },

  // Numbers.
  { at: 'GET /api/interest', who: numbers },
  { at: 'GET /api/admission-cycle', who: numbers },
  { at: 'PUT /api/admission-cycle', who: admins(400), ask: () => nothing },
  { at: 'GET /api/status', who: numbers },

  // Administration.
  { at: 'GET /api/users', who: admins(200) },
  { at: 'POST /api/users', who: admins(400), ask: () => nothing },
  { at: 'PATCH /api/users/[id]', who: admins(404), ask: () => ({ ...nothing, params: { id: 'x' } }) },
  { at: 'POST /api/users/[id]/invitation', who: admins(404), ask: id('x') },
  { at: 'DELETE /api/users/[id]/identities', who: admins(404), ask: id('x') },
  { at: 'GET /api/users/[id]/second-factors', who: admins(200), ask: id('x') },
  { at: 'DELETE /api/users/[id]/second-factors', who: admins(404), ask: id('x') },
  { at: 'GET /api/sign-in-rules', who: admins(200) },
  { at: 'PUT /api/sign-in-rules', who: admins(400), ask: () => nothing },
  { at: 'GET /api/users/[id]/sessions', who: admins(404), ask: id('x') },
  { at: 'DELETE /api/users/[id]/sessions', who: admins(404), ask: id('x') },
  { at: 'GET /api/activity', who: admins(200) },
  {
    at: 'GET /api/log-follow-up/leads',
    who: admins(200),
    ask: ({ lead }) => ({ query: { ...lead } }),
  },
  {
    at: 'GET /api/log-follow-up/people',
    who: admins(200),
    ask: () => ({ query: { user: 'x', from: '2027-01-01', to: '2027-01-02' } }),
  },
  { at: 'GET /api/reading/unusual', who: admins(200) },
  { at: 'GET /api/reading/limits', who: admins(200) },
  { at: 'PUT /api/reading/limits', who: admins(400), ask: () => nothing },
  { at: 'GET /api/feed-report', who: admins(200) },

  // The rights of those whom the leads are about.
  {
    at: 'GET /api/contacts/[id]/rights',
    who: admins(200),
    ask: ({ contact }) => ({ params: { id: contact } }),
  },
  {
    at: 'POST /api/contacts/[id]/extract',
    who: admins(200),
    ask: ({ contact, lead }) => ({
      params: { id: contact },
      body: { leads: [lead], language: 'sv', format: 'json' },
    }),
  },
  { at: 'POST /api/contacts/[id]/erasure', who: admins(400), ask: () => ({ ...nothing, params: { id: 'x' } }) },
  { at: 'GET /api/protections', who: admins(200) },
  { at: 'POST /api/protections', who: admins(400), ask: () => nothing },
  { at: 'PATCH /api/protections/[id]', who: admins(400), ask: () => ({ ...nothing, params: { id: 'x' } }) },
  { at: 'DELETE /api/protections/[id]', who: admins(404), ask: id('x') },

  // How the service is kept.
  { at: 'POST /api/status/mail', who: admins(503) },
  { at: 'GET /api/purge-holds', who: admins(200) },
  { at: 'POST /api/purge-holds', who: admins(400), ask: () => nothing },

  // One's own secrets.
  { at: 'POST /api/account/password', who: all(400), ask: () => nothing },
  { at: 'GET /api/account/proof', who: all(200) },
  { at: 'POST /api/account/proof', who: all(400), ask: () => nothing },
  { at: 'GET /api/account/second-factors', who: all(200) },
  { at: 'DELETE /api/account/second-factors/[id]', who: all(404), ask: id('x') },
  { at: 'POST /api/account/second-factors/totp', who: all(400), ask: () => nothing },
  { at: 'POST /api/account/second-factors/totp/confirm', who: all(400), ask: () => nothing },
  { at: 'POST /api/account/second-factors/passkeys', who: all(400), ask: () => nothing },
  { at: 'POST /api/account/second-factors/passkeys/options', who: all(200) },
  { at: 'POST /api/account/recovery-codes', who: all(409) },

  // Open to whoever comes: what they send is the proof, or there is nothing to prove.
  { at: 'POST /api/invitations', who: all(400), nobody: 400, ask: () => nothing },
  { at: 'POST /api/passkey-options', who: all(200), nobody: 200 },
  { at: 'GET /api/auth/[...nextauth]', who: all(200), nobody: 200, ask: () => ({ params: { nextauth: ['csrf'] } }) },
  {
    at: 'POST /api/auth/[...nextauth]',
    who: all(302),
    nobody: 302,
    foreign: 'needs-none',
    ask: () => ({ params: { nextauth: ['callback', 'credentials'] } }),
  },
  { at: 'GET /api/health', who: all(200), nobody: 200 },
  { at: 'GET /api/health/live', who: all(200), nobody: 200 },
  { at: 'GET /api/health/ready', who: all(200), nobody: 200 },
  { at: 'GET /api/metrics', who: [401, 401, 401, 401, 200] },
  {
    at: 'DELETE GET OPTIONS PATCH POST PUT /api/[[...path]]',
    who: all(404),
    nobody: 404,
    ask: () => ({ params: { path: ['x'] } }),
  },
  // The demo's external service asks for a token of its own, and nothing can be changed there.
  {
    at: 'GET HEAD /external/[...path]',
    who: all(401),
    ask: () => ({ params: { path: ['highSchools'] } }),
  },
  {
    at: 'DELETE OPTIONS PATCH POST PUT /external/[...path]',
    who: all(405),
    nobody: 405,
    foreign: 'like-own',
    ask: () => ({ params: { path: ['highSchools'] } }),
  },

  // Pages.
  {
    at: 'PAGE /',
    who: ['to /today', 'to /today', 'to /today', 'to /interest', 'to /today'],
  },
  { at: 'PAGE /today', who: leadPage },
  { at: 'PAGE /declarations', who: leadPage },
  { at: 'PAGE /questions', who: leadPage },
  {
    at: 'PAGE /contacts/[id]',
    who: ['shown', 'not found', 'not found', 'no access', 'shown'],
    ask: ({ contact }) => ({ params: { id: contact } }),
  },
  { at: 'PAGE /exports', who: leadPage },
  { at: 'PAGE /interest', who: all('shown') },
  { at: 'PAGE /account', who: all('shown') },
  { at: 'PAGE /help', who: all('shown') },
  { at: 'PAGE /admin/users', who: adminPage },
  { at: 'PAGE /second-factor', who: all('to /') },
  { at: 'PAGE /proof', who: all('shown') },
  { at: 'PAGE /admin/activity', who: adminPage },
  { at: 'PAGE /admin/activity/leads', who: adminPage },
  { at: 'PAGE /admin/activity/person', who: adminPage },
  { at: 'PAGE /admin/protections', who: adminPage },
  { at: 'PAGE /admin/templates', who: adminPage },
  { at: 'PAGE /admin/work', who: adminPage },
  { at: 'PAGE /welcome', who: adminPage },
  { at: 'PAGE /admin/cycle', who: adminPage },
  { at: 'PAGE /admin/status', who: adminPage },
  { at: 'PAGE /admin/privacy', who: adminPage },
  { at: 'PAGE /admin/security', who: adminPage },
  { at: 'PAGE /signin', who: all('to /'), nobody: 'shown' },
  { at: 'PAGE /invite', who: all('shown'), nobody: 'shown' },
]
