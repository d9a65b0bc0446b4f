import { compileMessages } from '../compile-messages'
import { en } from '../messages/en'

export const compiledEn = compileMessages(en)
