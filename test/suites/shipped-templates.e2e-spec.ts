import { mailsTo } from '../doubles/mails.js';
import { TemplateApplication } from '../make/template-applications.js';
import { suite } from '../setup/suite.js';
import { waitUntil } from '../setup/until.js';

/** Each shipped template, used as its README says. */
describe('An application from the template', () => {
  const { test, user } = suite({ PROCESS_ROLE: 'all' }, { database: 'own' });
  const made = (name: string) => TemplateApplication.make(test, user, name);

  describe('Pump station', () => {
    it('opens, resolves and acts on alarms', async () => {
      const station = await made('Pump station');
      await station.report('Pump 1', { pressure: 8.5 });
      expect(await station.event('Pump Pump 1', 'new')).toMatchObject({
        level: 'warning',
        message: 'pressure is 8.5, which is more than it should be.',
      });
      await station.report('Pump 2', { vibration: 7.4 });
      expect(await station.event('Pump Pump 2', 'new')).toMatchObject({ level: 'critical' });
      expect(await station.commands('Pump 2')).toMatchObject([
        { name: 'stop', payload: { reason: 'vibration' } },
      ]);
      // 95 % of the limit and more: the alarm stays.
      await station.report('Pump 1', { pressure: 7.7 });
      await station.logs('Watch pumps', 3);
      await station.event('Pump Pump 1', 'new');
      await station.report('Pump 1', { pressure: 4 });
      await station.event('Pump Pump 1', 'resolved');
      await station.report('Pump 1', { power: 11, running: true });
      await station.report('Pump 3', { power: 4, running: true });
      await station.passInterval('Station North');
      await station.hasState('Station North', { pressure: 4, vibration: 7.4, power: 15, pumps: 2 });
    });

    it('watches silence, and stops a pump by a button', async () => {
      const station = await made('Pump station');
      await station.report('Pump 1', { pressure: 4 });
      await station.passSilence('Silent pumps');
      expect(await station.event('Silence of Pump 1', 'new')).toMatchObject({ level: 'error' });
      const { id: deviceId } = await station.named('devices', 'Pump 3');
      await station.press('Stop a pump', 'stop-a-pump', { deviceId });
      expect(await station.commands('Pump 3')).toMatchObject([
        { name: 'stop', payload: { reason: 'operator' } },
      ]);
    });
  });

  describe('Energy metering', () => {
    it('closes days, and watches peaks', async () => {
      const metering = await made('Energy metering');
      const examples = await metering.rows('days', 2);
      await metering.report('Main hall', { power: 20, energy: 1000 });
      await metering.report('Offices', { power: 5, energy: 500 });
      await metering.press('Close the day', 'close-the-day-now');
      await metering.logs('Close the day', 1);
      await metering.report('Main hall', { energy: 1012.5 });
      await metering.press('Close the day', 'close-the-day-now');
      const rows = (await metering.rows('days', examples.length + 2)).slice(examples.length);
      const used = rows.map(({ meter, kilowattHours, cost }) => ({ meter, kilowattHours, cost }));
      expect(used).toHaveLength(2);
      expect(used).toContainEqual({ meter: 'Main hall', kilowattHours: 12.5, cost: 3.5 });
      expect(used).toContainEqual({ meter: 'Offices', kilowattHours: 0, cost: 0 });
      await metering.report('Main hall', { power: 300 });
      await metering.passInterval('Site');
      await metering.event('Peak', 'new');
      await metering.report('Main hall', { power: 100 });
      await metering.passInterval('Site');
      await metering.event('Peak', 'resolved');
    });
  });

  describe('Leak alarm', () => {
    it('tells the janitor, and opens the valve again once it is dry', async () => {
      const alarm = await made('Leak alarm');
      await alarm.setGlobal('janitor', `${alarm.id}@example.com`);
      await alarm.report('Kitchen floor', { wet: true, battery: 12 });
      await alarm.event('Leak: Kitchen floor', 'new');
      await waitUntil(async () => (await mailsTo(test, `${alarm.id}@example.com`)).length === 1);
      const refused = await alarm.post('Valve open again', {});
      expect([refused.status, await refused.json()]).toEqual([409, { wet: ['Kitchen floor'] }]);
      await alarm.report('Kitchen floor', { wet: false });
      await alarm.event('Leak: Kitchen floor', 'resolved');
      const opened = await alarm.post('Valve open again', {});
      expect([opened.status, await opened.json()]).toEqual([200, { open: true }]);
      expect(await alarm.commands('Main valve')).toMatchObject([{ name: 'open', payload: {} }]);
    });

    it('warns of batteries every morning', async () => {
      const alarm = await made('Leak alarm');
      await alarm.report('Kitchen floor', { battery: 12 });
      await alarm.report('Boiler room', { battery: 90 });
      await alarm.passTimer('Batteries');
      expect(await alarm.event('Battery of Kitchen floor', 'new')).toMatchObject({
        message: 'It has 12 percent left.',
      });
      await alarm.logs('Batteries', 1);
      expect(await alarm.items('events')).toHaveLength(1);
    });
  });

  describe('Room comfort', () => {
    it('follows the plan, where a room has another temperature', async () => {
      const comfort = await made('Room comfort');
      await comfort.setGlobal('timeZone', 'Pacific/Auckland');
      const hour = Number(
        new Intl.DateTimeFormat('en-GB', {
          hour: 'numeric',
          hourCycle: 'h23',
          timeZone: 'Pacific/Auckland',
        }).format(),
      );
      const { id } = await comfort.named('data-tables', 'setpoints');
      for (const row of await comfort.rows('setpoints', 4))
        await comfort.call('DELETE', `data-tables/${id}/rows/${row.id}`);
      for (const [room, from, temperature] of [
        ['Meeting room', 0, 16],
        ['Meeting room', hour, 21],
        ['Meeting room', hour + 1, 18],
        ['Open space', hour, 19],
      ])
        await comfort.call('POST', `data-tables/${id}/rows`, { room, hour: from, temperature });
      await comfort.report('Open space', { setpoint: 19 });
      await comfort.passTimer('Follow the plan');
      expect(await comfort.commands('Meeting room')).toMatchObject([
        { name: 'setpoint', payload: { temperature: 21 } },
      ]);
      await comfort.logs('Follow the plan', 1);
      expect(await comfort.commands('Open space', 0)).toEqual([]);
    });

    it('watches the air, and warms a room by a button', async () => {
      const comfort = await made('Room comfort');
      await comfort.report('Open space', { co2: 1500 });
      expect(await comfort.event('Air in Open space', 'new')).toMatchObject({ level: 'error' });
      await comfort.report('Open space', { co2: 600 });
      await comfort.event('Air in Open space', 'resolved');
      const { id: deviceId } = await comfort.named('devices', 'Meeting room');
      await comfort.press('Boost', 'boost', { deviceId, temperature: 23 });
      expect(await comfort.commands('Meeting room')).toMatchObject([
        { name: 'setpoint', payload: { temperature: 23 } },
      ]);
    });
  });

  describe('Uplink bridge', () => {
    it('makes the sensors that it does not know, and reports for them', async () => {
      const bridge = await made('Uplink bridge');
      const address = '70B3D57ED0000001';
      const posted = await bridge.post('Uplinks', { address, payload: 'AOtQXw==', rssi: -97 });
      expect(posted.status).toBe(202);
      const sensor = await bridge.named('devices', `Radio sensor ${address}`);
      const state = async () => (await bridge.call('GET', `devices/${sensor.id}/state`))[0]?.data;
      await waitUntil(async () => (await state()) !== undefined);
      expect(await state()).toEqual({ temperature: 23.5, humidity: 80, battery: 95, rssi: -97 });
      await bridge.post('Uplinks', { address, payload: 'ANxQXg==', rssi: -90 });
      await waitUntil(async () => (await state()).battery === 94);
      expect(await bridge.items('devices')).toHaveLength(1);
      await bridge.post('Uplinks', { address, payload: 'AA==', rssi: -90 });
      expect(await bridge.event('Bad uplink', 'new')).toMatchObject({
        message: `The payload of ${address} cannot be decoded.`,
      });
    });
  });

  describe('Cold chain', () => {
    it('takes shipments, and tells when one was outside its limits for too long', async () => {
      const chain = await made('Cold chain');
      await chain.setGlobal('alarmAddress', `${chain.id}@example.com`);
      const refused = await chain.post('Shipments', { shipment: 'S-1003' });
      expect(refused.status).toBe(400);
      const taken = await chain.post('Shipments', {
        shipment: 'S-1003',
        logger: 'Logger 1',
        least: 2,
        greatest: 8,
      });
      expect([taken.status, await taken.json()]).toEqual([201, { shipment: 'S-1003', underWay: true }]);
      const rows = await chain.rows('shipments', 3);
      expect(rows.filter(({ logger }) => logger === 'Logger 1')).toMatchObject([
        { shipment: 'S-1001', underWay: false },
        { shipment: 'S-1003', underWay: true },
      ]);
      await chain.report('Logger 1', { temperature: 12 });
      await chain.logs('Watch temperature', 1);
      expect(await chain.items('events')).toEqual([]);
      await chain.setGlobal('toleratedMinutes', 0);
      await chain.report('Logger 1', { temperature: 13 });
      expect(await chain.event('Shipment S-1003', 'new')).toMatchObject({
        level: 'critical',
        message: 'Logger 1 has 13 degrees, outside 2 to 8.',
      });
      await waitUntil(async () => (await mailsTo(test, `${chain.id}@example.com`)).length === 1);
    });
  });

  describe('Fleet tracking', () => {
    it('tells which vehicle is where, and who is too fast', async () => {
      const fleet = await made('Fleet tracking');
      await fleet.report('Van 1', { location: '52.5164,13.3778' });
      await fleet.event('Van 1 at Depot', 'new');
      await fleet.report('Van 1', { location: '52.6,13.5' });
      await fleet.event('Van 1 at Depot', 'resolved');
      await fleet.report('Van 1', { speed: 100 });
      await fleet.report('Van 1', { speed: 130 });
      await fleet.report('Van 1', { speed: 140 });
      expect(await fleet.commands('Van 1')).toMatchObject([
        { name: 'slowDown', payload: { limit: 110, speed: 130 } },
      ]);
      await fleet.logs('Speed', 3);
      expect(await fleet.commands('Van 1')).toHaveLength(1);
    });
  });
});
