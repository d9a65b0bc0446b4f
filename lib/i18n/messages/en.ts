import { common } from '@/lib/i18n/messages/en/common'
import { shell } from '@/lib/i18n/messages/en/shell'
import { signin } from '@/lib/i18n/messages/en/signin'
import { errors } from '@/lib/i18n/messages/en/errors'
import { status } from '@/lib/i18n/messages/en/status'
import { interest } from '@/lib/i18n/messages/en/interest'
import { inbox } from '@/lib/i18n/messages/en/inbox'
import { admin } from '@/lib/i18n/messages/en/admin'
import { lead } from '@/lib/i18n/messages/en/lead'
import { exporting } from '@/lib/i18n/messages/en/export'
import { palette } from '@/lib/i18n/messages/en/palette'
import { views } from '@/lib/i18n/messages/en/views'
import { contact } from '@/lib/i18n/messages/en/contact'
import { adminUsers } from '@/lib/i18n/messages/en/admin-users'
import { activity } from '@/lib/i18n/messages/en/activity'
import { templates } from '@/lib/i18n/messages/en/templates'

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
