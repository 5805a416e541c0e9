import { describe, expect, it } from 'vitest';
import { checkSetup, setupBody, type SetupValues } from './setup-values';

const values: SetupValues = { workspace: ' Our library ', username: ' anna ', display_name: '', password: ' correct horse ', setup_token: '', samples: 'yes' };

describe('setting up', () => {
  it('sends what was given, and the password as it was typed', () => {
    expect(setupBody(values)).toEqual({ username: 'anna', password: ' correct horse ', workspace: 'Our library' });
    expect(setupBody({ ...values, samples: 'no' })).toMatchObject({ samples: false });
  });

  it('tells what is wrong before it asks', () => {
    expect(checkSetup(values)).toEqual({});
    expect(checkSetup({ ...values, username: '', password: '' })).toEqual({ username: 'auth.required', password: 'auth.required' });
    expect(checkSetup({ ...values, username: 'anna k', password: 'short' })).toEqual({
      username: 'auth.usernameSpaces',
      password: 'auth.password.short',
    });
  });
});
