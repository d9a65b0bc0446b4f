import { z } from 'zod'
import { endpoint, idsSchema, momentSchema } from './endpoint'
import { snapshotInfoSchema } from './feed-status'
import { askedQuestionItemSchema, declarationOfInterestItemSchema, leadKindSchema, leadStatusSchema } from './lead'
import { CONTACT_MODES, QUEUES, SORTS } from './lists'

export const boundedDaySchema = z.iso.date().refine((day) => day >= '1900-01-01' && day < '9000-01-01')

export const sortSchema = z.enum(SORTS)
export type Sort = z.infer<typeof sortSchema>

/** A longer filter fits in no address, because Node reads at most 16 kB of headers. */
export const isShortFilter = (filter: object) => JSON.stringify(filter).length <= 20_000

const choicesSchema = <S extends z.ZodType>(choice: S) => z.array(choice).max(100).optional()

const sharedFilter = {
  id: idsSchema.optional(),
  school: idsSchema.optional(),
  q: z.string().max(200).optional(),
  status: choicesSchema(leadStatusSchema),
  assignee: idsSchema.optional(),
  from: boundedDaySchema.optional(),
  to: boundedDaySchema.optional(),
  fresh: z.boolean().optional(),
  answered: z.boolean().optional(),
  /** A lead waits if it is open, not answered, not snoozed, and not earlier than the work. */
  waiting: z.boolean().optional(),
  snoozed: z.boolean().optional(),
  /** A lead is a follow-up if it is open and the day of its reminder has come. */
  followUp: z.boolean().optional(),
  late: z.boolean().optional(),
  /** A lead is earlier if it is from before the work, or of a cohort whose admission is over. */
  earlier: z.boolean().optional(),
}
const rangeFields = {
  /** Leads that Intag first had later are left out and counted in `waiting`, unless the user has changed them since. */
  until: momentSchema.max(40).optional(),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(500).default(50),
  /** The browser has the page with this `etag`, so only the difference is sent. */
  known: z.string().max(100).optional(),
}
const pageQueryFields = {
  /** The default is newest first, and for a search the best matches first. */
  sort: sortSchema.optional(),
  ...rangeFields,
  /** The answer tells how many rows come before the lead with this id. */
  place: z.string().min(1).max(500).optional(),
}

/** Each value is the id of a topic, or `none` for questions without one. A hidden question matches none of them. */
const topicSchema = idsSchema.optional()

export const askedQuestionsFilterSchema = z.strictObject({
  ...sharedFilter,
  mode: choicesSchema(z.enum(CONTACT_MODES)),
  topic: topicSchema,
})
const yearSchema = z.int().min(-9999).max(99_999)
export const declarationsFilterSchema = z.strictObject({ ...sharedFilter, year: choicesSchema(yearSchema) })
export type LeadFilter = z.infer<typeof askedQuestionsFilterSchema> & z.infer<typeof declarationsFilterSchema>

export const askedQuestionsQuerySchema = askedQuestionsFilterSchema.extend(pageQueryFields)
export const declarationsQuerySchema = declarationsFilterSchema.extend(pageQueryFields)
export type LeadQuery = LeadFilter & z.infer<z.ZodObject<typeof pageQueryFields>>

const queueQuerySchema = z.strictObject({
  school: idsSchema.optional(),
  kind: leadKindSchema.optional(),
  q: sharedFilter.q,
  /** Only questions have topics, so a topic leaves out the declarations. */
  topic: topicSchema,
  ...rangeFields,
  /** As in a list, but kind and id, with a space between, name the lead. */
  place: z.string().min(1).max(600).optional(),
})
export type QueueQuery = z.output<typeof queueQuerySchema>

const pageFields = {
  total: z.int(),
  snapshot: snapshotInfoSchema,
  /** Counts the rows before the lead that the query's `place` names; null if that lead does not match. */
  place: z.int().nullable().exactOptional(),
  etag: z.string().exactOptional(),
  /** `waiting` counts the leads that Intag first had after the query's `until`; the newest other came at `newest`. */
  waiting: z.int(),
  newest: momentSchema.nullable(),
  /** This cohort is being admitted. */
  cohort: z.int().nullable(),
}
const questionsPageSchema = z.strictObject({ askedQuestions: z.array(askedQuestionItemSchema), ...pageFields })
const declarationsPageSchema = z.strictObject({
  declarationsOfInterest: z.array(declarationOfInterestItemSchema),
  ...pageFields,
})
export type ListPage = z.infer<typeof questionsPageSchema> | z.infer<typeof declarationsPageSchema>

const queueItemSchema = z.union([
  askedQuestionItemSchema.extend({ kind: z.literal('asked-question') }),
  declarationOfInterestItemSchema.extend({ kind: z.literal('declaration-of-interest') }),
])
/** A queue is sorted by deadline in this order; each number counts its rows. `later` includes leads without one. */
const deadlinesSchema = z.strictObject({ late: z.int(), today: z.int(), tomorrow: z.int(), later: z.int() })
export type Deadlines = z.infer<typeof deadlinesSchema>
const queuePageFields = { ...pageFields, deadlines: deadlinesSchema }
const queuePageSchema = z.strictObject({ leads: z.array(queueItemSchema), ...queuePageFields })
export type QueuePage = z.infer<typeof queuePageSchema>

/** A part is an item, or says which items stay from the page that the browser has. */
export type PagePart<Item> = Item | readonly [place: number, count: number]
const pageChangesSchema = <Item extends z.ZodType, Page extends z.ZodRawShape>(item: Item, pageShape: Page) =>
  z.strictObject({ parts: z.array(z.union([item, z.tuple([z.int(), z.int()])])), ...pageShape })

export const matchingSchema = z
  .discriminatedUnion('list', [
    askedQuestionsFilterSchema.extend({ list: z.literal('asked-questions') }),
    declarationsFilterSchema.extend({ list: z.literal('declarations-of-interest') }),
  ])
  .refine(isShortFilter)
export type Matching = z.infer<typeof matchingSchema>

export const hasLeadsOrMatching = ({ leads, matching }: { leads?: unknown; matching?: unknown }): boolean =>
  (leads === undefined) !== (matching === undefined)
export const leadsOrMatchingIssue = { path: ['leads'], message: 'give either leads or matching' }

const countsSchema = z.record(z.string(), z.int())
const listCountsSchema = z.strictObject({
  total: z.int(),
  school: countsSchema,
  status: countsSchema,
  assignee: countsSchema,
  mode: countsSchema,
  year: countsSchema,
  topic: countsSchema,
  /** Leads to answer are counted by school, also if the filter does not ask for them. */
  waiting: countsSchema,
  late: z.int(),
  /** Counts the leads that `earlier: false` and `snoozed: false` leave out. */
  hidden: z.strictObject({ earlier: z.int(), snoozed: z.int() }),
  fresh: z.int(),
  freshSince: momentSchema.nullable(),
})
export type ListCounts = z.infer<typeof listCountsSchema>

const differenceNote = 'with `known` (a page’s `etag`) only differing `parts`'

export const listEndpoints = {
  'GET /api/asked-questions': endpoint('leads:read', `Matching questions in scope, by page; ${differenceNote}.`, {
    query: askedQuestionsQuerySchema,
    answer: z.union([questionsPageSchema, pageChangesSchema(askedQuestionItemSchema, pageFields)]),
  }),
  'GET /api/declarations-of-interest': endpoint('leads:read', 'Matching declarations of interest in scope, likewise.', {
    query: declarationsQuerySchema,
    answer: z.union([declarationsPageSchema, pageChangesSchema(declarationOfInterestItemSchema, pageFields)]),
  }),
  'GET /api/queues/[name]': endpoint(
    'leads:read',
    `A queue’s leads by deadline (none last) and arrival; ${differenceNote}.`,
    {
      params: z.object({ name: z.enum(QUEUES) }),
      query: queueQuerySchema,
      answer: z.union([queuePageSchema, pageChangesSchema(queueItemSchema, queuePageFields)]),
    },
  ),
  'POST /api/list-counts': endpoint('leads:read', 'How many leads each choice would show in its filter’s place.', {
    body: z.strictObject({ matching: matchingSchema }),
    answer: listCountsSchema,
  }),
}
