import { common } from './en/common'
import { shell } from './en/shell'
import { signin } from './en/signin'
import { errors } from './en/errors'
import { status } from './en/status'
import { interest } from './en/interest'
import { inbox } from './en/inbox'
import { admin } from './en/admin'
import { lead } from './en/lead'

export const en = { common, shell, signin, errors, status, interest, inbox, lead, admin }
