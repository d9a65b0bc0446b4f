import { isOutage } from '@/server/http/responses'
import { services } from '@/server/services'

/** What a page reads of the database; null while that is away, which the page then says. */
export async function whileThere<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (!isOutage(error)) throw error
    services().logger.warn({ err: error }, 'a page cannot be read')
    return null
  }
}
