import { common } from './sv/common'
import { shell } from './sv/shell'
import { signin } from './sv/signin'
import { errors } from './sv/errors'
import { status } from './sv/status'
import { interest } from './sv/interest'
import { inbox } from './sv/inbox'
import { admin } from './sv/admin'
import { lead } from './sv/lead'
import { exporting } from './sv/export'
import { palette } from './sv/palette'
import { views } from './sv/views'
import { contact } from './sv/contact'
import { adminUsers } from './sv/admin-users'
import { activity } from './sv/activity'
import { templates } from './sv/templates'

export const sv = {
  common,
  shell,
  signin,
  errors,
  status,
  interest,
  inbox,
  lead,
  export: exporting,
  admin,
  contact,
  palette,
  views,
  adminUsers,
  activity,
  templates,
}
