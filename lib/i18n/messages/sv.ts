import account from './sv/account.json'
import activity from './sv/activity.json'
import adminUsers from './sv/admin-users.json'
import admin from './sv/admin.json'
import busy from './sv/busy.json'
import changes from './sv/changes.json'
import common from './sv/common.json'
import contact from './sv/contact.json'
import day from './sv/day.json'
import documents from './sv/documents.json'
import errors from './sv/errors.json'
import exporting from './sv/export.json'
import extract from './sv/extract.json'
import handOver from './sv/hand-over.json'
import inbox from './sv/inbox.json'
import interest from './sv/interest.json'
import lead from './sv/lead.json'
import mail from './sv/mail.json'
import palette from './sv/palette.json'
import proof from './sv/proof.json'
import reading from './sv/reading.json'
import reply from './sv/reply.json'
import rights from './sv/rights.json'
import shell from './sv/shell.json'
import signin from './sv/signin.json'
import status from './sv/status.json'
import templates from './sv/templates.json'
import trouble from './sv/trouble.json'
import views from './sv/views.json'
import work from './sv/work.json'

export const sv = {
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
}
