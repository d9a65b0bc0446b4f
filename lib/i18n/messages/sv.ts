import { common } from '@/lib/i18n/messages/sv/common'
import { shell } from '@/lib/i18n/messages/sv/shell'
import { signin } from '@/lib/i18n/messages/sv/signin'
import { errors } from '@/lib/i18n/messages/sv/errors'
import { status } from '@/lib/i18n/messages/sv/status'
import { interest } from '@/lib/i18n/messages/sv/interest'
import { inbox } from '@/lib/i18n/messages/sv/inbox'
import { admin } from '@/lib/i18n/messages/sv/admin'
import { lead } from '@/lib/i18n/messages/sv/lead'
import { exporting } from '@/lib/i18n/messages/sv/export'
import { palette } from '@/lib/i18n/messages/sv/palette'
import { views } from '@/lib/i18n/messages/sv/views'
import { contact } from '@/lib/i18n/messages/sv/contact'
import { adminUsers } from '@/lib/i18n/messages/sv/admin-users'
import { activity } from '@/lib/i18n/messages/sv/activity'
import { templates } from '@/lib/i18n/messages/sv/templates'

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
