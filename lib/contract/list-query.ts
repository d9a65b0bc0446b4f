import { z } from 'zod'
import { type Declared, moment } from './endpoint'
import {
  askedQuestionItemSchema,
  askedQuestionsPageSchema,
  declarationOfInterestItemSchema,
  declarationsPageSchema,
  leadStatusSchema,
  page as pageOfLeads,
} from './lead'
import { CONTACT_MODES, SORTS } from './lists'

/** A calendar day in Europe/Stockholm. */
export const daySchema = z.iso.date().refine((day) => day >= '1900-01-01' && day < '9000-01-01')

export const sortSchema = z.enum(SORTS)
export type Sort = z.infer<typeof sortSchema>

/** Characters of a filter as JSON: one that is longer fits no address (Node reads 16 kB), so no list can be asked for it. */
const LONGEST_FILTER = 20_000

/** Whether a filter may be sent in a body and stored. */
export function isShortFilter(filter: object): boolean {
  return JSON.stringify(filter).length <= LONGEST_FILTER
}

const ids = z.array(z.string().min(1).max(500)).max(1000)

/** Of a filter with few choices. */
const choices = <S extends z.ZodType>(choice: S) => z.array(choice).max(100).optional()

const sharedFilter = {
  id: ids.optional(),
  school: ids.optional(),
  q: z.string().max(200).optional(),
  status: choices(leadStatusSchema),
  /** A user's id, `me` or `none`. */
  assignee: ids.optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
  /** Only what came since the person's last visit of this list. */
  fresh: z.boolean().optional(),
  /** Somebody has mailed or talked with the person. */
  answered: z.boolean().optional(),
  /** Somebody has to answer now: open, not answered, not put aside, and not earlier than the work. */
  waiting: z.boolean().optional(),
  /** Put aside until a later day. */
  snoozed: z.boolean().optional(),
  /** Open, and back from having been put aside. */
  followUp: z.boolean().optional(),
  /** Waiting for longer than the goal. */
  late: z.boolean().optional(),
  /** From before the work began, or of a cohort whose admission is over. */
  earlier: z.boolean().optional(),
}
const page = {
  /** By itself newest first; a search without a `sort` has its best matches first. */
  sort: sortSchema.optional(),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(500).default(50),
  /** A lead's id: the answer also says where in the whole order it stands. */
  place: z.string().min(1).max(500).optional(),
}

export const askedQuestionsFilterSchema = z.strictObject({
  ...sharedFilter,
  mode: choices(z.enum(CONTACT_MODES)),
})
export const declarationsFilterSchema = z.strictObject({
  ...sharedFilter,
  year: choices(z.int().min(-9999).max(99_999)),
})
type AskedQuestionsFilter = z.infer<typeof askedQuestionsFilterSchema>
type DeclarationsFilter = z.infer<typeof declarationsFilterSchema>
/** Either list's filter; a field the list does not have is absent. */
export type LeadFilter = AskedQuestionsFilter & DeclarationsFilter

/** `known`: the `etag` of the page that the browser has (or any other text), so that it is sent only what is other. */
const known = { known: z.string().max(100).optional() }

export const askedQuestionsQuerySchema = askedQuestionsFilterSchema.extend({ ...page, ...known })
export const declarationsQuerySchema = declarationsFilterSchema.extend({ ...page, ...known })
export type LeadQuery = LeadFilter & {
  sort?: Sort | undefined
  offset: number
  limit: number
  place?: string | undefined
}

/** A piece of a page: an item, or the place in the known page of the first of so many that follow one another there. */
export type PagePart<Item> = Item | readonly [place: number, count: number]
const changes = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ parts: z.array(z.union([item, z.tuple([z.int(), z.int()])])), ...pageOfLeads })

/** Every lead of a list that matches, as the list's own query parameters would select it. */
export const matchingSchema = z
  .discriminatedUnion('list', [
    askedQuestionsFilterSchema.extend({ list: z.literal('asked-questions') }),
    declarationsFilterSchema.extend({ list: z.literal('declarations-of-interest') }),
  ])
  .refine(isShortFilter)
export type Matching = z.infer<typeof matchingSchema>

const counts = z.record(z.string(), z.int())
/** Choices of zero are left out. */
const listCountsSchema = z.strictObject({
  total: z.int(),
  school: counts,
  status: counts,
  /** By user id, and `none`. */
  assignee: counts,
  mode: counts,
  year: counts,
  /** By school: for how many of those that match somebody has to answer now, whether or not the filter asks for that. */
  waiting: counts,
  /** How many of these for longer than the goal. */
  late: z.int(),
  /** How many would match, did the filter not leave out (with `false`) what is earlier than the work or put aside. */
  hidden: z.strictObject({ earlier: z.int(), snoozed: z.int() }),
  /** Of those that match: what came since the last visit, and when that visit ended (null: this is the first). */
  fresh: z.int(),
  freshSince: moment.nullable(),
})
export type ListCounts = z.infer<typeof listCountsSchema>

const partly = 'with `known` (the `etag` of a page) only the `parts` that differ from it; 304 for `If-None-Match`'

export const listEndpoints = {
  'GET /api/asked-questions': {
    what: `The questions within reach that match, page by page; ${partly}.`,
    who: 'leads:read',
    query: askedQuestionsQuerySchema,
    answer: z.union([askedQuestionsPageSchema, changes(askedQuestionItemSchema)]),
  },
  'GET /api/declarations-of-interest': {
    what: `The declarations of interest within reach that match, page by page; ${partly}.`,
    who: 'leads:read',
    query: declarationsQuerySchema,
    answer: z.union([declarationsPageSchema, changes(declarationOfInterestItemSchema)]),
  },
  'POST /api/list-counts': {
    what: 'How many leads each choice of each filter would show, were it chosen instead of what is chosen in that filter now.',
    who: 'leads:read',
    load: 'read',
    body: z.strictObject({ matching: matchingSchema }),
    answer: listCountsSchema,
  },
} satisfies Declared
