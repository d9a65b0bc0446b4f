import { compileMessages } from '../compile-messages'
import { sv } from '../messages/sv'

export const compiledSv = compileMessages(sv)
