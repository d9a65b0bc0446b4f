import { compileMessages } from '@/lib/i18n/compile-messages'
import { en } from '@/lib/i18n/messages/en'

export const compiledEn = compileMessages(en)
