import { compileMessages } from '@/lib/i18n/compile-messages'
import { sv } from '@/lib/i18n/messages/sv'

export const compiledSv = compileMessages(sv)
