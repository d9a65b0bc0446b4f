import 'server-only'
import { NotFoundError } from '@/server/errors'
import { refusal } from './route'

/** A path nobody answers, in the shape of every other error. */
export const unknownRoute = refusal(() => new NotFoundError())
