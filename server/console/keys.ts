import 'server-only'
import { acceptDataKey } from '@/server/settings/database-identity'
import { type AdminCommand, argumentsOf, UsageError, withServices } from './command'

export const acceptKey: AdminCommand = {
  usage: 'accept-key --lost',
  says: 'takes DATA_KEY as the key of this database; what a lost key has sealed stays shut',
  isAlone: true,
  run: async (args) => {
    const { lost } = argumentsOf(args, 0, { lost: { type: 'boolean' } }).values
    if (lost !== true)
      throw new UsageError(
        'Notes, saved views, second factors and protected identities that the key of before has sealed cannot be opened again. If that key is lost for good: accept-key --lost',
      )
    return withServices(
      async (parts) => {
        await acceptDataKey(parts)
        const details = { setting: 'data-key', accepted: true }
        await parts.activity.record({ userId: null, action: 'settings-changed', details })
        return 'DATA_KEY is the key of this database now. Intag starts with it.'
      },
      { isKeyLost: true },
    )
  },
}
