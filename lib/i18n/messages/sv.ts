import { common } from './sv/common'
import { shell } from './sv/shell'
import { signin } from './sv/signin'
import { errors } from './sv/errors'
import { status } from './sv/status'
import { interest } from './sv/interest'
import { inbox } from './sv/inbox'
import { admin } from './sv/admin'
import { lead } from './sv/lead'

export const sv = { common, shell, signin, errors, status, interest, inbox, lead, admin }
