import { common } from './en/common'
import { shell } from './en/shell'
import { signin } from './en/signin'
import { errors } from './en/errors'
import { status } from './en/status'
import { interest } from './en/interest'
import { inbox } from './en/inbox'
import { admin } from './en/admin'
import { lead } from './en/lead'
import { exporting } from './en/export'
import { palette } from './en/palette'
import { views } from './en/views'
import { contact } from './en/contact'
import { adminUsers } from './en/admin-users'
import { activity } from './en/activity'
import { templates } from './en/templates'

export const en = {
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
