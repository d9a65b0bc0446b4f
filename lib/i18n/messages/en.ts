import account from './en/account.json'
import activity from './en/activity.json'
import adminUsers from './en/admin-users.json'
import admin from './en/admin.json'
import busy from './en/busy.json'
import changes from './en/changes.json'
import common from './en/common.json'
import contact from './en/contact.json'
import day from './en/day.json'
import documents from './en/documents.json'
import errors from './en/errors.json'
import exporting from './en/export.json'
import extract from './en/extract.json'
import handOver from './en/hand-over.json'
import inbox from './en/inbox.json'
import interest from './en/interest.json'
import lead from './en/lead.json'
import mail from './en/mail.json'
import palette from './en/palette.json'
import proof from './en/proof.json'
import reading from './en/reading.json'
import reply from './en/reply.json'
import rights from './en/rights.json'
import shell from './en/shell.json'
import signin from './en/signin.json'
import status from './en/status.json'
import templates from './en/templates.json'
import trouble from './en/trouble.json'
import views from './en/views.json'
import work from './en/work.json'
import type { sv } from './sv'

export const en = {
  common,
  shell,
  signin,
  errors,
  busy,
  trouble,
  status,
  interest,
  inbox,
  lead,
  export: exporting,
  admin,
  contact,
  mail,
  palette,
  proof,
  views,
  adminUsers,
  activity,
  account,
  reading,
  reply,
  changes,
  handOver,
  templates,
  documents,
  day,
  rights,
  extract,
  work,
} satisfies Translated<typeof sv>

/** The same keys as the Swedish messages, with words of its own; `satisfies` refuses a missing or extra key. */
export type Translated<Messages> = {
  readonly [Key in keyof Messages]: Messages[Key] extends string ? string : Translated<Messages[Key]>
}
