import 'server-only'
import { HttpError } from './responses'
import { refusal } from './route'

const notAllowed = refusal(() => new HttpError(405, 'Method Not Allowed'))

/**
 * What a route answers to the methods it does not have, in the shape of every other error. A route file says
 * `export *` from here, and its own exports take precedence (ECMA-262, ResolveExport).
 */
export {
  notAllowed as DELETE,
  notAllowed as GET,
  notAllowed as OPTIONS,
  notAllowed as PATCH,
  notAllowed as POST,
  notAllowed as PUT,
}
